/** What one kind of search found, best first. */
export interface Order {
  ids: readonly number[]
  /** How far the best stands out of those behind it, from 0 to 1 (`leadOf`). */
  lead: number
}

/** Small, so that the first places count for much more than those behind them. */
const DAMPING = 2
/** What an order in which nothing stands out still counts. */
const LEAST_WEIGHT = 0.2
/** The best is compared with the one at this place, from 0. */
const COMPARED = 4

/**
 * Fuses orders by reciprocal rank: what stands high in several of them comes first. An order whose best stands out counts
 * more than one that can hardly tell its first from its fifth, as words can that stand in many passages, or vectors of a
 * model that knows little of the subject. Of equals, what stands higher in the first order.
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
 * How far the best of an order stands out.
 * @param values how well each of them fits the question, best first
 * @param floor how well something fits that has nothing to do with it
 * @param most how well something fits that could not fit better
 */
export function leadOf(values: readonly number[], floor: number, most: number): number {
  const [best = floor] = values
  if (most <= floor) return 0
  return Math.min(1, Math.max(0, (best - (values[COMPARED] ?? floor)) / (most - floor)))
}
