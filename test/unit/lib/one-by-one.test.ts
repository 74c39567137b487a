import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oneByOne } from '../../../src/lib/pacing/one-by-one.ts'

describe('works that begin one by one', () => {
  /** Lets everything run that waits for no time. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it('each begins when the one before has ended, however it ended', async () => {
    const inTurn = oneByOne(60_000)
    const works = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const begun: number[] = []
    for (const [index, { promise }] of works.entries())
      inTurn(() => {
        begun.push(index)
        return promise
      })
    await settle()
    assert.deepEqual(begun, [0])
    works[0]?.reject(new Error('no work'))
    await settle()
    assert.deepEqual(begun, [0, 1])
    works[1]?.resolve()
    await settle()
    assert.deepEqual(begun, [0, 1, 2])
    works[2]?.resolve()
  })

  it('one that takes long keeps the next waiting only for a while', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const inTurn = oneByOne(250)
    const long = Promise.withResolvers<void>()
    let begun = 0
    inTurn(() => long.promise)
    inTurn(async () => void begun++)
    await settle()
    t.mock.timers.tick(249)
    await settle()
    assert.equal(begun, 0)
    t.mock.timers.tick(1)
    await settle()
    await settle()
    assert.equal(begun, 1)
    long.resolve()
  })
})
