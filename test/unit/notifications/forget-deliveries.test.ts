import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Kysely } from 'kysely'
import { timestamp } from '../../../src/lib/clock.ts'
import { forgetDeliveries } from '../../../src/notifications/forget-deliveries.ts'
import type { DeliveryState } from '../../../src/notifications/tables.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines } from '../../support/databases.ts'
import { refuse } from '../../support/poisoned.ts'
import { NOW, openNotification } from './open-notification.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const now = Date.parse(NOW)

for (const kind of engines) {
  it(`forgets what ended thirty days ago, and all but the newest ten thousand, on ${kind}`, async () => {
    await using opened = await openNotification(kind)
    const { db } = opened
    const add = async (state: DeliveryState, daysAgo: number | null) => {
      const { id } = await opened.addDelivery()
      const finished_at = daysAgo === null ? null : timestamp(now - daysAgo * DAY_MS)
      await db.updateTable('deliveries').set({ state, finished_at }).where('id', '=', id).execute()
      return id
    }
    const left = async () => (await db.selectFrom('deliveries').select('id').execute()).map(({ id }) => id)
    const old = await add('delivered', 31)
    const waiting = await add('pending', null)
    const young = await add('delivered', 29)
    await forgetDeliveries(db, now, 30)
    assert.deepEqual((await left()).toSorted(), [waiting, young])
    assert.ok(old < waiting)

    for (let count = 1; count <= 10_000; count *= 2) await double(db)
    await forgetDeliveries(db, now, 30)
    const ids = await left()
    // Waiting deliveries are not forgotten, however many there are.
    assert.ok(ids.includes(waiting) && !ids.includes(young))
    assert.equal(ids.length, 10_001)
  })

  it(`forgets those of the other notifications when some cannot be deleted, on ${kind}`, async () => {
    await using opened = await openNotification(kind)
    const { db, notificationId: bad } = opened
    const { id: _, ...values } = opened.notification
    const good = await db.insertInto('notifications').values(values).returning('id').executeTakeFirstOrThrow()
    for (const notification_id of [bad, good.id]) {
      const { id } = await opened.addDelivery()
      const finished = { notification_id, state: 'delivered' as const, finished_at: NOW }
      await db.updateTable('deliveries').set(finished).where('id', '=', id).execute()
    }
    for (let count = 1; count <= 10_000; count *= 2) await double(db)
    await refuse(opened, 'deliveries', 'delete', `old.notification_id = ${bad}`)
    await assert.rejects(forgetDeliveries(db, now, 30), /poisoned/)
    const { left } = await db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('notification_id', '=', good.id)
      .executeTakeFirstOrThrow()
    assert.equal(Number(left), 10_000)
  })
}

/** Adds a copy of each delivery that has ended. */
async function double(db: Kysely<Tables>): Promise<void> {
  const columns = ['notification_id', 'agent_id', 'event_key', 'state', 'created_at', 'finished_at'] as const
  await db
    .insertInto('deliveries')
    .columns(columns)
    .expression((select) =>
      select.selectFrom('deliveries').select(columns).where('finished_at', 'is not', null),
    )
    .execute()
}
