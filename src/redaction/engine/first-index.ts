/**
 * Returns the first index below `count` for which `holds` is true; `count` if there is none. Once `holds` is true for
 * an index, it must be true for all later ones.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
