import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { TraceContext } from '../lib/trace-context.ts'
import type { Database } from '../storage/engine.ts'
import type { DeliveryRow, Tables } from '../storage/tables.ts'
import { buildPayloads } from './build-payload.ts'
import { type SendingNotification, writeSending } from './delivery-store.ts'
import { openSecrets } from './notification.ts'
import { webhookId } from './schemas.ts'
import type { Sending } from './send-delivery.ts'
import { commonHeaders, signatureHeaders } from './sign.ts'

/** A delivery that is `sending` from the commit on. */
export interface PreparedDelivery extends Sending {
  delivery: DeliveryRow
  /** In which its event happened. */
  trace: TraceContext | null
}

/** Makes deliveries `sending`, with the bodies that they are sent with; those of completions under redaction wait. */
export async function prepareDeliveries(
  db: Kysely<Tables>,
  { database: { engine }, box }: { database: Pick<Database, 'engine'>; box: SecretBox },
  notification: SendingNotification,
  deliveries: readonly DeliveryRow[],
  now: number,
): Promise<PreparedDelivery[]> {
  const built = await buildPayloads(db, engine, notification, deliveries)
  if (built.length === 0) return []
  const rows = built.map(({ delivery, body }) => ({ id: delivery.id, payload: body }))
  await writeSending(db, timestamp(now), rows)
  const secrets = openSecrets(notification, box, timestamp(now))
  return built.map(({ delivery, body, trace }) => {
    const webhook_id = webhookId(delivery)
    return {
      delivery,
      trace,
      url: notification.url,
      body,
      headers: {
        ...commonHeaders(webhook_id, trace),
        ...signatureHeaders(notification.security, secrets, webhook_id, Math.floor(now / 1000), body),
      },
    }
  })
}
