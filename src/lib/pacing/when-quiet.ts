const LONGEST_MS = 2

/**
 * Calls `act` once the count has not risen for a turn of the event loop, or after two milliseconds: acting once for all
 * that comes together costs less than acting for each.
 */
export function whenQuiet(count: () => number, act: () => void, clock = () => performance.now()): void {
  const until = clock() + LONGEST_MS
  const look = (seen: number) => {
    setImmediate(() => {
      const now = count()
      if (now > seen && clock() < until) look(now)
      else act()
    })
  }
  look(0)
}
