/** Turns of tenants in a process, so that none takes the places that others need. */
export interface FairTurns {
  begin(tenant: number): void
  end(tenant: number): void
  /**
   * Returns the most pieces of a tenant that may be under way: half of the places that the others leave, so that one
   * more tenant always finds a place.
   */
  mostOf(tenant: number): number
  /** Returns the tenants with pieces under way or a recent turn, and their handicap against others. */
  handicaps(): Map<number, number>
  runningOf(tenant: number): number
  /** True while a tenant has as many pieces under way as it may: then more of its pieces may wait. */
  isAnyFull(): boolean
}

/** Tenants whose last turn is remembered. */
const REMEMBERED = 32

/** Keeps count of the pieces of each tenant. @param places the most pieces under way */
export function fairTurns(places: number): FairTurns {
  const running = new Map<number, number>()
  /** Tenants that had a turn, the latest last. */
  const served = new Set<number>()
  let all = 0
  const runningOf = (tenant: number) => running.get(tenant) ?? 0
  const mostOf = (tenant: number) => Math.ceil((runningOf(tenant) + places - all) / 2)
  return {
    runningOf,
    mostOf,
    isAnyFull: () => [...running].some(([tenant, count]) => count >= mostOf(tenant)),
    begin(tenant) {
      all++
      running.set(tenant, runningOf(tenant) + 1)
      served.delete(tenant)
      served.add(tenant)
      const [oldest] = served
      if (served.size > REMEMBERED && oldest !== undefined) served.delete(oldest)
    },
    end(tenant) {
      all--
      const left = runningOf(tenant) - 1
      if (left > 0) running.set(tenant, left)
      else running.delete(tenant)
    },
    handicaps() {
      const order = [...served]
      const known = new Set([...order, ...running.keys()])
      return new Map(
        [...known].map((tenant) => [
          tenant,
          runningOf(tenant) + (order.indexOf(tenant) + 1) / (REMEMBERED + 1),
        ]),
      )
    },
  }
}
