import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { eventsKeptSince, isEventKept } from '../events/kept-events.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { insertDelivery, selectDelivery } from './delivery-log.ts'
import type { DeliveryRow, NotificationRow } from './tables.ts'
import { DELIVERIES } from './topics.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** The number of days for which events are kept. */
  eventDays: number
}

/**
 * Queues a delivery again, under the same id.
 * @throws ApiError delivery_not_found, notification_inactive, event_gone
 */
export async function replayDelivery(
  { db, clock, eventDays }: Dependencies,
  { id, agent_id, active }: NotificationRow,
  deliveryId: number,
  by: TeamBy,
): Promise<DeliveryRow> {
  const original = foundOr(await selectDelivery(db, id, deliveryId), 'delivery_not_found')
  if (!active) throw new ApiError('notification_inactive')
  const { event_id, event_key, completion_id } = original
  const since = eventsKeptSince(clock(), eventDays)
  if (event_id !== null && !(await isEventKept(db, { id: event_id, agentId: agent_id, since })))
    throw new ApiError('event_gone')
  const now = timestamp(clock())
  return db.transaction().execute(async (db) => {
    const replay = await insertDelivery(db, {
      notification_id: id,
      agent_id,
      event_id,
      event_key,
      completion_id,
      state: 'pending',
      created_at: now,
      sent_at: null,
      replay_of: original.replay_of ?? original.id,
    })
    const target = `delivery ${original.id}`
    await record(db, { ...by, agentId: agent_id, at: now, action: 'delivery.replayed', target })
    wake(db, DELIVERIES)
    return replay
  })
}
