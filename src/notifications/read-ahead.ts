import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { type BuiltPayload, buildPayloads, READ_AHEAD } from './build-payload.ts'
import { type SendingNotification, selectNotificationById, selectWaiting } from './delivery-store.ts'
import type { NotificationRow } from './tables.ts'

/** The deliveries to be sent for a notification. They were read without a lock and may have changed since. */
export interface WaitingDeliveries {
  notification: SendingNotification
  /** The deliveries with their bodies, oldest first. */
  built: BuiltPayload[]
}

/**
 * Reads the oldest deliveries that wait for a notification, up to a limit. Null when nothing may be sent to it now,
 * when it is gone, and when another worker has claimed it.
 */
export async function readAhead(
  { db }: { db: Kysely<Tables> },
  { id, lease }: Pick<NotificationRow, 'id' | 'lease'>,
  now: string,
  limit = READ_AHEAD.few,
): Promise<WaitingDeliveries | null> {
  const [notification] = await selectNotificationById(db, { id })
  if (notification?.lease !== lease) return null
  if (!notification.active || (notification.held_until ?? '') > now) return null
  const waiting = await selectWaiting(db, { notification_id: id, limit })
  return {
    notification,
    built: await buildPayloads(db, notification, waiting),
  }
}
