import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { readAgain } from '../../../console/api/read-again.ts'

describe('what is read again', () => {
  it('waits 1, 2, 4 and 5 seconds while it fails, and 1 again after it was read', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    t.mock.method(Math, 'random', () => 1)
    const outcomes = [false, false, false, false, false, true, false]
    const ending = new AbortController()
    let pause = Promise.withResolvers<void>()
    let reads = 0
    const read = async () => outcomes[reads++] ?? true
    const ended = readAgain(read, () => pause.resolve(), ending.signal)
    for (const [at, waitMs] of [1000, 2000, 4000, 5000, 5000, 1000, 2000].entries()) {
      await pause.promise
      pause = Promise.withResolvers()
      t.mock.timers.tick(waitMs - 1)
      await Promise.resolve()
      assert.equal(reads, at + 1, `pause ${at + 1} is over before ${waitMs} ms`)
      t.mock.timers.tick(1)
    }
    await pause.promise
    assert.equal(reads, 8)
    assert.equal(getEventListeners(ending.signal, 'abort').length, 1)
    ending.abort()
    await ended
    assert.equal(reads, 8)
  })

  it('does not wait any longer once it is woken', async () => {
    const ending = new AbortController()
    let reads = 0
    const read = async () => ++reads === 3
    await readAgain(read, (wake) => (reads === 3 ? ending.abort() : wake()), ending.signal)
    assert.equal(reads, 3)
  })
})
