import type { Kysely } from 'kysely'
import { readEvents } from '../events/read-events.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { buildPayloads } from '../notifications/build-payload.ts'
import { insertDelivery } from '../notifications/delivery-log.ts'
import { selectNotificationById, selectSending, writePayload } from '../notifications/delivery-store.ts'
import type { Attempt } from '../notifications/send-delivery.ts'
import { settleDelivery } from '../notifications/settle-deliveries.ts'
import type { Tables } from '../storage/tables.ts'
import type { Random } from './random.ts'
import { webhook } from './shop.ts'

/** The period that people look back over when something did not arrive. */
const DAYS = 7

/**
 * Stores the deliveries of the last week to the shop's order system, with their bodies. Nothing is sent: each delivery
 * has already ended.
 */
export async function tellWebhook(
  db: Kysely<Tables>,
  { agentId, notificationId }: { agentId: number; notificationId: number },
  nowMs: number,
  random: Random,
): Promise<void> {
  const [notification] = await selectNotificationById(db, { id: notificationId })
  if (!notification) return
  const since = timestamp(nowMs - DAYS * DAY_MS)
  const events = await readEvents(db, { agentId, keys: webhook.events, since })
  for (const { id: event_id, key: event_key, completion_id, occurred_at } of events) {
    const startMs = Date.parse(occurred_at)
    const attempt = attemptOf(random)
    await db.transaction().execute(async (db) => {
      const { id } = await insertDelivery(db, {
        notification_id: notificationId,
        agent_id: agentId,
        event_id,
        event_key,
        completion_id,
        state: 'sending',
        created_at: occurred_at,
        sent_at: timestamp(startMs),
        replay_of: null,
      })
      const [built] = await buildPayloads(db, notification, await selectSending(db, { id }))
      if (built) await writePayload(db, id, built.body)
      await settleDelivery(db, { id, attempt }, startMs + attempt.durationMs)
    })
  }
}

/** Returns a delivered attempt, or now and then one that was rejected because the order system was restarting. */
function attemptOf(random: Random): Attempt {
  const durationMs = random.between(35, 240)
  return random.happens(0.04)
    ? { state: 'rejected', status: 503, failure: null, durationMs, answer: 'Starting' }
    : { state: 'delivered', status: 200, failure: null, durationMs, answer: '{"ok":true}' }
}
