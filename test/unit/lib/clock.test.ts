import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timestamp } from '../../../src/lib/clock.ts'

it('timestamp writes a time as JavaScript does, whatever was written before', () => {
  const now = Date.UTC(2026, 10, 23, 23, 59, 59)
  // Back and forth within a second, into the next one, and to times that are far away or have fractions.
  const times = [
    now,
    now + 999,
    now + 7,
    now + 42,
    now + 1000,
    now,
    0,
    -1,
    -1000,
    now + 0.9,
    253_402_300_800_000,
  ]
  for (const time of times) assert.equal(timestamp(time), new Date(time).toISOString(), `${time}`)
  assert.throws(() => timestamp(Number.NaN), RangeError)
})
