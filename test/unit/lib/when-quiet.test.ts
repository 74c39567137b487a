import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { whenQuiet } from '../../../src/lib/pacing/when-quiet.ts'

describe('when it is quiet', () => {
  test('a turn that brings nothing more ends the wait', async () => {
    let count = 1
    let isDone = false
    whenQuiet(
      () => count,
      () => {
        isDone = true
      },
      () => 0,
    )
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn()
      assert.equal(isDone, false)
      count++
    }
    count--
    await nextTurn()
    assert.equal(isDone, true)
  })

  test('a count that never stops rising is not waited for', async () => {
    const done = Promise.withResolvers<void>()
    let count = 0
    let time = 0
    whenQuiet(
      () => ++count,
      done.resolve,
      () => time++,
    )
    await done.promise
    assert.equal(count, 2)
  })
})
