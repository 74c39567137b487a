import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timestamp } from '../../../src/lib/clock.ts'
import {
  claimNotifications,
  notificationLeases,
  selectDueNotifications,
} from '../../../src/notifications/delivery-store.ts'
import { LEASE_MS } from '../../../src/work/lease.ts'
import { engines } from '../../support/databases.ts'
import { NOW, openNotification } from './open-notification.ts'

const START = Date.parse(NOW)

for (const kind of engines) {
  describe(`claiming notifications on ${kind}`, () => {
    async function open() {
      const opened = await openNotification(kind)
      const { db, notificationId } = opened
      await opened.addDelivery()
      return {
        db,
        due: async (holder: string, nowMs = START) =>
          (await selectDueNotifications(db, { holder, now: timestamp(nowMs) })).length,
        claim: async (holder: string, nowMs = START) => {
          const [claimed] = await claimNotifications(db, [notificationId], { holder, nowMs })
          return claimed
        },
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    }

    it('a notification is worked by one process, and only that one hears of waiting deliveries', async () => {
      await using opened = await open()
      assert.deepEqual([await opened.due('one'), await opened.due('other')], [1, 1])
      assert.equal((await opened.claim('one'))?.lease, 1)
      assert.equal(await opened.claim('other'), undefined)
      assert.deepEqual([await opened.due('one'), await opened.due('other')], [1, 0])
    })

    it('a notification that is kept stays with its process, and one that is let go is free', async () => {
      await using opened = await open()
      const { db } = opened
      const claimed = await opened.claim('one')
      assert.ok(claimed)
      using lease = notificationLeases.take(db, claimed, () => START + LEASE_MS, new AbortController().signal)
      await lease.hold(db)
      assert.equal(await opened.claim('other', START + LEASE_MS + 1), undefined)
      await lease.free(db)
      assert.equal((await opened.claim('other', START + LEASE_MS + 1))?.lease, 2)
      await assert.rejects(lease.hold(db), { name: 'LeaseLost' })
    })

    it('a notification of a dead process is free at once, one of a hung process after ten seconds', async () => {
      await using opened = await open()
      const { db } = opened
      await opened.claim('one')
      assert.equal(await opened.claim('other', START + LEASE_MS - 1), undefined)
      assert.equal((await opened.claim('other', START + LEASE_MS + 1))?.lease, 2)
      await db.insertInto('processes').values({ id: 'other', seen_at: NOW, gone: 1 }).execute()
      assert.equal((await opened.claim('third', START + LEASE_MS + 1))?.lease, 3)
    })
  })
}
