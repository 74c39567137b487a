/** Damps the lead of the first places, as is usual. */
const DAMPING = 60

/**
 * Fuses orders by reciprocal rank: what stands high in several of them comes first. Of equals, what stands higher in the
 * first order.
 */
export function fuse(orders: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const order of orders) {
    for (const [at, id] of order.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (DAMPING + at + 1))
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
