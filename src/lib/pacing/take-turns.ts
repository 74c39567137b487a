import { setImmediate as nextTurn } from 'node:timers/promises'

const LONGEST_MS = 20

/**
 * For work on many pieces that nothing interrupts: waited for after each of them, it lets everybody else have their
 * turn when the work has kept them waiting for long.
 */
export function takeTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await nextTurn()
    since = performance.now()
  }
}
