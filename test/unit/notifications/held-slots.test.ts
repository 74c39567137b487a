import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HELD_MS, holdSlots } from '../../../src/notifications/held-slots.ts'
import { engines } from '../../support/databases.ts'
import { NOW, openNotification } from './open-notification.ts'

const START = Date.parse(NOW)
const healthy = { failures: 0 }
const failing = { failures: 10 }

for (const kind of engines) {
  describe(`slots of a notification on ${kind}`, () => {
    it('each is held by one process, as long as that keeps it', async () => {
      await using opened = await openNotification(kind)
      const { db, notificationId } = opened
      const [one, other] = [holdSlots(notificationId, 'one'), holdSlots(notificationId, 'other')]
      await one.take(db, healthy, START)
      await other.take(db, healthy, START)
      assert.deepEqual([one.usable(), other.usable()], [4, 0])
      await one.keep(db, healthy, START + HELD_MS - 1)
      await other.take(db, healthy, START + HELD_MS + 1)
      assert.deepEqual([one.usable(), other.usable()], [4, 0])
      // It was gone for too long: they are the other's, whatever it does now.
      const late = START + 2 * HELD_MS + 1
      await other.take(db, healthy, late)
      await one.keep(db, healthy, late)
      assert.deepEqual([one.usable(), other.usable()], [0, 4])
      await one.free(db)
      await one.take(db, healthy, late)
      assert.equal(one.usable(), 0)
      await other.free(db)
      await one.take(db, healthy, late)
      assert.equal(one.usable(), 4)
    })

    it('an endpoint that fails all the time is tried by one process with one delivery', async () => {
      await using opened = await openNotification(kind)
      const { db, notificationId } = opened
      const [one, other] = [holdSlots(notificationId, 'one'), holdSlots(notificationId, 'other')]
      await one.take(db, failing, START)
      await other.take(db, failing, START)
      assert.deepEqual([one.usable(), other.usable()], [1, 0])
      await one.free(db)
      await one.take(db, { failures: 9 }, START)
      assert.equal(one.usable(), 4)
      // It began to fail while they were held.
      await one.keep(db, failing, START)
      assert.equal(one.usable(), 1)
    })

    it('one that answers again gets all the slots that are free', async () => {
      await using opened = await openNotification(kind)
      const { db, notificationId } = opened
      const slots = holdSlots(notificationId, 'one')
      await slots.take(db, failing, START)
      assert.equal(slots.usable(), 1)
      await slots.keep(db, healthy, START + 5000)
      assert.equal(slots.usable(), 4)
    })
  })
}
