/** A row of a table whose ids rise with time. */
interface Timed {
  id: number
  at: string
}

/**
 * Finds by bisection the lowest id among the rows from a time on, in a table whose ids rise with time and that has no
 * index on the time.
 * @param bounds the least and the greatest id
 * @param readFrom reads the first row with an id or a greater one
 */
export async function firstSince(
  at: string,
  { least, most }: { least: number; most: number },
  readFrom: (id: number) => Promise<Timed | undefined>,
): Promise<number> {
  let [low, high] = [least, most + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await readFrom(middle)
    if (row && row.at < at) low = row.id + 1
    else high = middle
  }
  return low
}
