import type { Kysely } from 'kysely'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { type BuiltPayload, buildPayloads, READ_AHEAD } from './build-payload.ts'
import { type SendingNotification, selectNotificationById, selectWaiting } from './delivery-store.ts'
import { openSecrets, type Secrets } from './notification.ts'

/** What is to be sent for a notification, as it was read without keeping others from it. */
export interface WaitingDeliveries {
  notification: SendingNotification
  secrets: Secrets
  /** The oldest first. */
  built: BuiltPayload[]
}

/**
 * Reads the oldest deliveries that wait for a notification, up to a limit; null when it may not be sent to now, or is
 * gone.
 * @param known the notification, where it has just been read
 */
export async function readAhead(
  { db, box }: { db: Kysely<Tables>; box: SecretBox },
  notificationId: number,
  now: string,
  limit = READ_AHEAD.few,
  known?: SendingNotification,
): Promise<WaitingDeliveries | null> {
  const [notification] = known ? [known] : await selectNotificationById(db, { id: notificationId })
  if (!notification?.active || (notification.held_until ?? '') > now) return null
  const waiting = await selectWaiting(db, { notification_id: notificationId, limit })
  return {
    notification,
    secrets: openSecrets(notification, box, now),
    built: await buildPayloads(db, notification, waiting),
  }
}
