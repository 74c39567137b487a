import { webhookSignature } from '../lib/secrets/webhook-signature.ts'
import type { BuiltPayload } from './build-payload.ts'
import type { Secrets } from './notification.ts'
import { webhookId } from './schemas.ts'
import type { Sending } from './send-delivery.ts'
import type { NotificationRow } from './tables.ts'

const USER_AGENT = 'Parley-Webhooks/1.0'

/** Creates the request of a delivery, with its secret or signed with the present time; null without secrets. */
export function signDelivery(
  { url, security }: Pick<NotificationRow, 'url' | 'security'>,
  secrets: Secrets | null,
  { delivery, body, trace }: BuiltPayload,
  nowMs: number,
): Sending | null {
  if (!secrets) return null
  const { secret, previous } = secrets
  const id = webhookId(delivery)
  const proof =
    security === 'shared_secret'
      ? { 'webhook-id': id, 'X-Webhook-Secret': secret }
      : webhookSignature(secret, { id, seconds: Math.floor(nowMs / 1000), body }, previous)
  return {
    url,
    body,
    trace,
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...proof },
  }
}
