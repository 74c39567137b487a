import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memo } from '../../../src/lib/memo.ts'

describe('memo', () => {
  it('makes a value once for each key and version', () => {
    const keep = memo<number, object>(10)
    const first = keep(1, 'a', () => ({}))
    assert.equal(
      keep(1, 'a', () => ({})),
      first,
    )
    const second = keep(1, 'b', () => ({}))
    assert.notEqual(second, first)
    assert.notEqual(
      keep(1, 'a', () => ({})),
      first,
    )
    assert.notEqual(
      keep(2, 'b', () => ({})),
      second,
    )
  })

  it('keeps no more than it is told', () => {
    const keep = memo<number, object>(2)
    const first = keep(1, 1, () => ({}))
    keep(2, 1, () => ({}))
    keep(3, 1, () => ({}))
    assert.notEqual(
      keep(1, 1, () => ({})),
      first,
    )
  })

  it('forgets a promise that failed, and only that one', async () => {
    const keep = memo<number, Promise<number>>(2)
    const late = Promise.withResolvers<number>()
    const failing = keep(1, 1, () => late.promise)
    const next = keep(1, 2, async () => 2)
    late.reject(new Error('away'))
    await assert.rejects(failing)
    assert.equal(
      keep(1, 2, async () => 3),
      next,
    )
    await assert.rejects(keep(1, 3, async () => Promise.reject(new Error('away'))))
    assert.equal(await keep(1, 3, async () => 4), 4)
  })
})
