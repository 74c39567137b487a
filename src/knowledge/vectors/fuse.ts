/** The passages that one kind of search found, best first. */
interface Order {
  ids: readonly number[]
  /** The lead of the best over those behind it, from 0 to 1 (`leadOf`). */
  lead: number
}

/**
 * The constant of the reciprocal ranks. It is small, so that the first places count for much more than those behind
 * them.
 */
const DAMPING = 2
/** The weight of an order in which nothing stands out. */
const LEAST_WEIGHT = 0.2
/** The place, from 0, of the passage with which the best is compared. */
const COMPARED = 4

/**
 * Fuses orders by reciprocal rank: passages that are high in several of them come first. An order with a
 * clear best counts more than one whose first five are nearly equal, as with words that many passages have, or a model
 * that knows little of the subject. Of equals, the one higher in the first order comes first.
 */
export function fuse(orders: readonly Order[]): { id: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const { ids, lead } of orders) {
    const weight = LEAST_WEIGHT + lead
    for (const [at, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (DAMPING + at + 1))
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

/**
 * Returns how far the best of an order stands out.
 * @param values the fit of each to the question, best first
 * @param floor the fit of something unrelated to it
 * @param most the fit of something that could not fit better
 */
export function leadOf(values: readonly number[], floor: number, most: number): number {
  const [best = floor] = values
  if (most <= floor) return 0
  return Math.min(1, Math.max(0, (best - (values[COMPARED] ?? floor)) / (most - floor)))
}
