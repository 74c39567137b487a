import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { TeamHttp } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { buildPayloads } from './build-payload.ts'
import { selectNotificationById, selectSending, writePayload } from './delivery-store.ts'
import { openSecrets } from './notification.ts'
import { sendDelivery } from './send-delivery.ts'
import { settleDelivery } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'
import type { DeliveryRow } from './tables.ts'

/** Sends a test of a notification ahead of everything that waits. @param delivery is `sending` already */
export async function sendNow(
  { db, box, http, clock }: { db: Kysely<Tables>; box: SecretBox; http: TeamHttp; clock: Clock },
  { id, notification_id }: DeliveryRow,
): Promise<void> {
  const [notification] = await selectNotificationById(db, { id: notification_id })
  if (!notification) return
  const [built] = await buildPayloads(db, notification, await selectSending(db, { id }))
  if (!built) return
  await writePayload(db, id, built.body)
  const nowMs = clock()
  const secrets = openSecrets(notification, box, timestamp(nowMs))
  const attempt = await sendDelivery(http, signDelivery(notification, secrets, built, nowMs))
  await settleDelivery(db, { id, attempt }, clock())
}
