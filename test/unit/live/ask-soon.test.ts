import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { askSoon } from '../../../src/live/ask-soon.ts'

describe('what is asked for soon', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await turn()
  }

  it('is done once for all that ask, and again for those who ask meanwhile', async () => {
    const waiting: (() => void)[] = []
    const act = mock.fn(() => new Promise<void>((resolve) => waiting.push(resolve)))
    const soon = askSoon(act, 100, () => assert.fail())
    soon.ask()
    soon.ask()
    await pass(100)
    assert.equal(act.mock.callCount(), 1)
    soon.ask()
    await pass(1000)
    assert.equal(act.mock.callCount(), 1, 'never twice at once')
    waiting[0]?.()
    await turn()
    await pass(100)
    assert.equal(act.mock.callCount(), 2)
    waiting[1]?.()
    await turn()
    await pass(10_000)
    assert.equal(act.mock.callCount(), 2)
  })

  it('is tried again after a failure, until it is closed', async () => {
    const act = mock.fn(async () => {
      throw new Error('not now')
    })
    const failed = mock.fn()
    const soon = askSoon(act, 100, failed)
    soon.ask()
    await pass(100)
    await pass(2000)
    assert.deepEqual([act.mock.callCount(), failed.mock.callCount()], [2, 2])
    soon.close()
    await pass(10_000)
    assert.equal(act.mock.callCount(), 2)
  })
})
