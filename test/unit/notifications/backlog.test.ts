import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBacklog } from '../../../src/notifications/backlog.ts'
import { NOW, openNotification } from './open-notification.ts'

describe('the backlog of a notification', () => {
  /** With as many deliveries as given. */
  async function open(count: number) {
    const opened = await openNotification('sqlite')
    const { db, notification } = opened
    for (let at = 0; at < count; at++) await opened.addDelivery()
    const time = { ms: Date.parse(NOW) }
    const backlog = openBacklog({ db, clock: () => time.ms }, notification)
    return {
      backlog,
      time,
      set: (values: { failures?: number; active?: 0; held_until?: string }) =>
        db.updateTable('notifications').set(values).execute(),
      addDelivery: opened.addDelivery,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  it('is read first, and again when it is used up as long as more may wait', async () => {
    await using opened = await open(17)
    const { backlog } = opened
    assert.deepEqual([backlog.mustRead(), backlog.take(4)], [true, null])
    await backlog.read()
    assert.deepEqual([backlog.size(), backlog.mustRead()], [16, false])
    assert.equal(backlog.take(4)?.built.length, 4)
    assert.equal(backlog.take(20)?.built.length, 12)
    assert.deepEqual([backlog.size(), backlog.mustRead(), backlog.take(1)], [0, true, null])
    await backlog.read()
    // Nothing has claimed the first sixteen: they still wait. An endpoint that is quick gets more at a time.
    assert.equal(backlog.take(20)?.built.length, 17)
    assert.equal(backlog.mustRead(), false)
    backlog.expectMore()
    assert.equal(backlog.mustRead(), true)
  })

  it('is read again once it is a second old', async () => {
    await using opened = await open(1)
    const { backlog, time } = opened
    await backlog.read()
    time.ms += 1000
    assert.equal(backlog.mustRead(), false)
    time.ms += 1
    assert.equal(backlog.mustRead(), true)
  })

  it('is empty while nothing may be sent', async () => {
    await using opened = await open(1)
    await opened.set({ active: 0 })
    await opened.backlog.read()
    assert.deepEqual([opened.backlog.size(), opened.backlog.mustRead()], [0, false])
  })

  it('is sent one by one to an endpoint that failed ten times, and four at once to one that answers', async () => {
    await using opened = await open(2)
    const { backlog } = opened
    assert.equal(backlog.mostAtOnce(), 4)
    await opened.set({ failures: 10 })
    await backlog.read()
    assert.deepEqual([backlog.mostAtOnce(), backlog.failures()], [1, 10])
    backlog.setFailures(0)
    assert.equal(backlog.mostAtOnce(), 4)
    // The claim compares the count with what is stored.
    assert.equal(backlog.take(1)?.notification.failures, 0)
    backlog.setFailures(3)
    assert.equal(backlog.take(1)?.notification.failures, 3)
  })

  it('is read again when the endpoint is on hold by now, or its failures are not known', async () => {
    await using opened = await open(1)
    const { backlog } = opened
    for (const failures of [10, null]) {
      await backlog.read()
      assert.deepEqual([backlog.size(), backlog.mustRead()], [1, false])
      backlog.setFailures(failures)
      assert.deepEqual([backlog.size(), backlog.mustRead()], [0, true], `${failures} failures`)
    }
  })
})
