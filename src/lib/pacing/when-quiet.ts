const LONGEST_MS = 2

/**
 * Calls `act` as soon as a turn of the event loop brings no more of what is counted, after two milliseconds at the
 * latest: acting once for everything costs less than acting many times.
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
