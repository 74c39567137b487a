import type { Kysely } from 'kysely'
import { checkAddress } from '../http/check-address.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound, TeamHttp } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { buildPayloads } from './build-payload.ts'
import { insertDelivery, selectDelivery } from './delivery-log.ts'
import { selectNotificationById, selectSending, writePayload } from './delivery-store.ts'
import { openSecrets } from './notification.ts'
import { sendDelivery } from './send-delivery.ts'
import { settleDelivery } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'
import type { DeliveryRow, NotificationRow } from './tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  clock: Clock
  outbound: Outbound
}

/** Sends an example of an event to a notification, ahead of everything that waits. Returns it with its outcome. */
export async function sendExample(
  { outbound, ...dependencies }: Dependencies,
  { id, agent_id, url }: NotificationRow,
  teamId: number,
): Promise<DeliveryRow> {
  const { db, clock } = dependencies
  await checkAddress(outbound, 'url', url)
  const now = timestamp(clock())
  const delivery = await insertDelivery(db, {
    notification_id: id,
    agent_id,
    event_id: null,
    event_key: 'prompt_submit',
    completion_id: null,
    state: 'sending',
    created_at: now,
    sent_at: now,
    replay_of: null,
  })
  await sendNow({ ...dependencies, http: outbound.of(teamId) }, delivery)
  return (await selectDelivery(db, id, delivery.id)) ?? delivery
}

/** Sends a delivery that is `sending` already. */
async function sendNow(
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
