import { setImmediate as nextTurn } from 'node:timers/promises'

const LONGEST_MS = 20

/**
 * Makes a function for long work on many pieces to await after each piece. It lets the rest of the event loop run if
 * the work has blocked it for long.
 */
export function takeTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await nextTurn()
    since = performance.now()
  }
}
