import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdAfter } from '../../../src/notifications/breaker.ts'

it('an endpoint is left alone from the tenth failure on, each time for twice as long, an hour at most', () => {
  const seconds = (failures: number) => {
    const until = holdAfter(failures, 0)
    return until === null ? 0 : Date.parse(until) / 1000
  }
  assert.deepEqual([1, 9, 10, 11, 12, 16, 17, 1000].map(seconds), [0, 0, 30, 60, 120, 1920, 3600, 3600])
})
