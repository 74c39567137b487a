import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** The limit of a wait, as in `awaited.ts`: on a busy machine, work takes many times longer than alone. */
export const LIMIT_MS = 60_000

/** Waits a moment before a condition is read again: without it, reading would take a whole core. */
export const pause = () => wait(10)

/** Waits until the value read equals the expected one. A failure shows the last value. */
export async function becomes<Value>(read: () => Value | Promise<Value>, expected: Value): Promise<void> {
  let found: Value
  const end = Date.now() + LIMIT_MS
  while (!isDeepStrictEqual((found = await read()), expected) && Date.now() < end) await wait(50)
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
