const LONGEST_MS = 2

/**
 * Waits as long as each turn of the event loop brings more of what is counted, two milliseconds at most: doing
 * something for all of it at once costs more than many turns.
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
