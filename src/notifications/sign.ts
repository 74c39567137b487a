import { createHmac } from 'node:crypto'
import { webhookSignature } from '../lib/secrets/webhook-signature.ts'
import type { BuiltPayload } from './build-payload.ts'
import type { Secrets } from './notification.ts'
import { webhookId } from './schemas.ts'
import type { Sending } from './send-delivery.ts'
import type { NotificationRow } from './tables.ts'

const USER_AGENT = 'Parley-Webhooks/1.0'

/** Makes the request of a delivery, signed with the present time. */
export function signDelivery(
  { url, security }: Pick<NotificationRow, 'url' | 'security'>,
  secrets: Secrets,
  { delivery, body, trace }: BuiltPayload,
  nowMs: number,
): Sending {
  const id = webhookId(delivery)
  const signature = signatureHeaders(security, secrets, id, Math.floor(nowMs / 1000), body)
  return { url, body, trace, headers: { ...commonHeaders(id), ...signature } }
}

function commonHeaders(webhookId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': webhookId,
  }
}

/**
 * The headers that prove where a delivery comes from: a signature over `<timestamp>.<body>`, or the secret itself.
 * After a rotation, `webhook-signature` holds one signature for each of the two secrets, over `<id>.<timestamp>.<body>`
 * (standardwebhooks.com), so that receivers can change over at any time.
 * @param seconds Unix time
 */
function signatureHeaders(
  security: NotificationRow['security'],
  { secret, previous }: Secrets,
  webhookId: string,
  seconds: number,
  body: string,
): Record<string, string> {
  if (security === 'shared_secret') return { 'X-Webhook-Secret': secret }
  const headers = webhookSignature(secret, seconds, body)
  if (previous === null) return headers
  const signatures = [secret, previous].map(
    (key) =>
      `v1,${createHmac('sha256', standardKey(key)).update(`${webhookId}.${seconds}.${body}`).digest('base64')}`,
  )
  return { ...headers, 'webhook-signature': signatures.join(' '), 'webhook-timestamp': String(seconds) }
}

/** A Standard Webhooks key is base64 after `whsec_`. Any other secret is used as its own bytes. */
function standardKey(secret: string): Buffer {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1]
  return base64 ? Buffer.from(base64, 'base64') : Buffer.from(secret)
}
