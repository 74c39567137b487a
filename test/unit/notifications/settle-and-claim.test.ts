import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAhead } from '../../../src/notifications/read-ahead.ts'
import { type Outcome, settleAndClaim } from '../../../src/notifications/settle-and-claim.ts'
import type { DeliveryState, NotificationRow } from '../../../src/notifications/tables.ts'
import { engines } from '../../support/databases.ts'
import { NOW, openNotification } from './open-notification.ts'

const LATER = '2026-11-21T12:00:00.001Z'

for (const kind of engines) {
  describe(`advancing deliveries on ${kind}`, () => {
    it('no delivery is taken whose notification has changed since it was read', async () => {
      await using opened = await openNotification(kind)
      const { db, engine, notification } = opened
      const { id } = await opened.addDelivery()
      const claim = await readAhead(opened, notification, NOW)
      assert.equal(claim?.built.length, 1)
      const take = async () => (await settleAndClaim(db, engine, claim, [], NOW)).claimed
      const present = await db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow()
      const changes: Partial<NotificationRow>[] = [
        { url: 'http://127.0.0.1:10/' },
        { security: 'shared_secret' },
        { secret: 'another' },
        { failures: 1 },
        { lease: 1 },
        { active: 0 },
        { held_until: LATER },
      ]
      for (const change of changes) {
        await db.updateTable('notifications').set(change).execute()
        assert.deepEqual(await take(), [], String(Object.keys(change)))
        await db.updateTable('notifications').set(present).execute()
      }
      assert.deepEqual(await take(), [id])
    })

    it('a delivery that is taken has its body and its time, and is not taken again', async () => {
      await using opened = await openNotification(kind)
      const { db, engine, notification } = opened
      const { id } = await opened.addDelivery()
      const claim = await readAhead(opened, notification, NOW)
      const take = async () => (await settleAndClaim(db, engine, claim, [], LATER)).claimed
      assert.deepEqual(await take(), [id])
      assert.deepEqual(await take(), [])
      const row = await db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([row.state, row.sent_at, row.payload], ['sending', LATER, claim?.built[0]?.body])
    })

    // Within a transaction on SQLite nobody else holds anything.
    if (kind === 'postgres')
      it('a delivery that somebody else holds is left alone, without waiting', async () => {
        await using opened = await openNotification(kind)
        const { db, engine, notification } = opened
        const { id } = await opened.addDelivery()
        const claim = await readAhead(opened, notification, NOW)
        const outcome = { finished_at: LATER, status: 200, failure: null, duration_ms: 1, answer: 'ok' }
        await db.transaction().execute(async (holding) => {
          await holding.updateTable('deliveries').set({ answer: null }).where('id', '=', id).execute()
          const ended: Outcome[] = [{ id, state: 'delivered', ...outcome }]
          const nothing = { claimed: [], settled: [] }
          assert.deepEqual(await settleAndClaim(db, engine, claim, ended, LATER), nothing)
          assert.deepEqual(await settleAndClaim(db, engine, null, ended, LATER), nothing)
        })
      })

    it('an outcome is stored once, also of a lost delivery; an answer only beside a body', async () => {
      await using opened = await openNotification(kind)
      const { db, engine } = opened
      const { id } = await opened.addDelivery()
      const rest = { finished_at: LATER, failure: null, duration_ms: 1 }
      const ended: Outcome = { id, state: 'delivered', status: 200, answer: 'ok', ...rest }
      const settle = async (state: DeliveryState, payload: string | null) => {
        await db.updateTable('deliveries').set({ state, payload, answer: null }).execute()
        const { settled } = await settleAndClaim(db, engine, null, [ended], LATER)
        const row = await db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
        return [settled.length, row.state, row.answer]
      }
      assert.deepEqual(await settle('sending', '{}'), [1, 'delivered', 'ok'])
      assert.deepEqual(await settle('unknown', '{}'), [1, 'delivered', 'ok'])
      assert.deepEqual(await settle('sending', null), [1, 'delivered', null])
      for (const state of ['pending', 'failed', 'expired'] as const)
        assert.deepEqual(await settle(state, '{}'), [0, state, null])
    })
  })
}
