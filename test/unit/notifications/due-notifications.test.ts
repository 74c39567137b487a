import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { selectDueNotifications } from '../../../src/notifications/delivery-store.ts'
import { NOW, openNotification } from './open-notification.ts'

it('PostgreSQL does not walk through all that waits when it planned that while little did', async () => {
  await using opened = await openNotification('postgres')
  const { db, notificationId } = opened
  const due = async () => (await selectDueNotifications(db, { holder: 'test', now: NOW })).map(({ id }) => id)
  const { id } = await opened.addDelivery()
  // Nothing waits for the other.
  await sql`
    insert into notifications (agent_id, name, url, security, secret, events, active, failures, created_at, updated_at)
    select agent_id, name, url, security, secret, events, active, failures, created_at, updated_at from notifications`.execute(
    db,
  )
  // From the sixth time on it keeps one plan.
  for (let times = 0; times < 8; times++) assert.deepEqual(await due(), [notificationId])
  await sql`
    insert into deliveries (notification_id, agent_id, event_key, state, created_at)
    select notification_id, agent_id, event_key, state, created_at
    from deliveries cross join generate_series(1, 5000) where id = ${id}`.execute(db)
  const read = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ entries: number }>`
      select idx_tup_read as entries from pg_stat_user_indexes where indexrelname = 'deliveries_pending'`.execute(
      db,
    )
    return Number(rows[0]?.entries)
  }
  const before = await read()
  assert.deepEqual(await due(), [notificationId])
  const entries = (await read()) - before
  assert.ok(entries > 0 && entries < 10, `it has read ${entries} entries of the index`)
})
