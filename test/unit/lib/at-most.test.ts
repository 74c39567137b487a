import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atMost, atMostEach } from '../../../src/lib/pacing/at-most.ts'

describe('at most so many pieces of work at once', () => {
  test('the others wait in the order in which they came', async () => {
    const inTurn = atMost(2)
    const begun: number[] = []
    const works = [0, 1, 2, 3].map(() => Promise.withResolvers<number>())
    const results = works.map(({ promise }, index) =>
      inTurn(() => {
        begun.push(index)
        return promise
      }),
    )
    assert.deepEqual(begun, [0, 1])
    works[1]?.resolve(10)
    assert.equal(await results[1], 10)
    assert.deepEqual(begun, [0, 1, 2])
    works[0]?.resolve(0)
    works[2]?.resolve(20)
    await Promise.all([results[0], results[2]])
    assert.deepEqual(begun, [0, 1, 2, 3])
    works[3]?.resolve(30)
    assert.equal(await results[3], 30)
  })

  test('work that fails gives its place to the next, and tells only whoever asked for it', async () => {
    const inTurn = atMost(1)
    const failing = inTurn(() => Promise.reject(new Error('broken')))
    const next = inTurn(async () => 'done')
    await assert.rejects(failing, /broken/)
    assert.equal(await next, 'done')
    assert.equal(await inTurn(async () => 'again'), 'again')
  })

  test('a place that nobody waits for is free again', async () => {
    const inTurn = atMost(1)
    await inTurn(async () => {})
    let begun = false
    const work = inTurn(async () => {
      begun = true
    })
    assert.equal(begun, true)
    await work
  })

  test('each key has places of its own', async () => {
    const inTurn = atMostEach<string>(1)
    const begun: string[] = []
    const held = Promise.withResolvers<void>()
    const work = (name: string, until: Promise<void>) => async () => {
      begun.push(name)
      await until
    }
    const first = inTurn('a', work('a 1', held.promise))
    const second = inTurn('a', work('a 2', Promise.resolve()))
    await inTurn('b', work('b 1', Promise.resolve()))
    assert.deepEqual(begun, ['a 1', 'b 1'])
    held.resolve()
    await Promise.all([first, second])
    await inTurn('a', work('a 3', Promise.resolve()))
    assert.deepEqual(begun, ['a 1', 'b 1', 'a 2', 'a 3'])
  })

  test('one place a key is a queue: one after the other, a failure holds nobody up, other keys go on', async () => {
    const inTurn = atMostEach<string>(1)
    const begun: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = inTurn('a', async () => {
      begun.push('first')
      await gate.promise
      throw new Error('first failed')
    })
    const second = inTurn('a', async () => begun.push('second'))
    await inTurn('b', async () => begun.push('other key'))
    assert.deepEqual(begun, ['first', 'other key'])
    gate.resolve()
    await assert.rejects(first, /first failed/)
    await second
    assert.equal(await inTurn('a', async () => 'again'), 'again')
    assert.deepEqual(begun, ['first', 'other key', 'second'])
  })
})
