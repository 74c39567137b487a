/**
 * Finds for each item of a new list the item of the stored list that it continues: answers have no secrets, so new
 * lists come without those to keep. No stored item is continued twice, or its secret would be copied.
 * @param likenesses tests of two items for being alike, the strictest first
 * @returns the places in the stored list; undefined for new items
 */
export function counterparts<Given, Stored>(
  given: readonly Given[],
  stored: readonly Stored[],
  ...likenesses: ((given: Given, stored: Stored) => boolean)[]
): (number | undefined)[] {
  const places: (number | undefined)[] = given.map(() => undefined)
  for (const isAlike of likenesses)
    for (const [at, one] of given.entries()) {
      if (places[at] !== undefined) continue
      const place = stored.findIndex((other, index) => !places.includes(index) && isAlike(one, other))
      if (place >= 0) places[at] = place
    }
  return places
}
