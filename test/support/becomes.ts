import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/**
 * The limit of a wait. The slowest thing that tests wait for takes half of it, since on a busy machine work takes many
 * times longer than alone.
 */
export const LIMIT_MS = 60_000

const SHORTEST_MS = 3
const LONGEST_MS = 100

/** Waits a moment, for loops that do more between two readings than wait. */
export const pause = () => wait(10)

/**
 * Returns the pauses of one wait, each longer than the last. A quick result is seen soon, and slow work is read seldom,
 * because answering takes processor time from the work.
 */
export function pauses(): () => Promise<void> {
  let ms = SHORTEST_MS
  return async () => {
    await wait(ms)
    ms = Math.min(ms * 1.5, LONGEST_MS)
  }
}

/** Resolves when a condition is true. The test's own limit ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const pause = pauses()
  while (!(await condition())) await pause()
}

/** Waits until the value read equals the expected one. A failure shows the last value. */
export async function becomes<Value>(read: () => Value | Promise<Value>, expected: Value): Promise<void> {
  let found: Value
  const pause = pauses()
  const end = Date.now() + LIMIT_MS
  while (!isDeepStrictEqual((found = await read()), expected) && Date.now() < end) await pause()
  assert.deepEqual(found, expected)
}

/** Waits until the value read stays the same, and returns it. */
export async function settled<Value>(read: () => Promise<Value>): Promise<Value> {
  let found = await read()
  for (let same = 0, end = Date.now() + LIMIT_MS; same < 4; ) {
    if (Date.now() > end) throw new Error(`it never settled: ${String(found)}`)
    await wait(50)
    const next = await read()
    same = isDeepStrictEqual(next, found) ? same + 1 : 0
    found = next
  }
  return found
}
