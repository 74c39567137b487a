import { createHmac } from 'node:crypto'

/** A call that is signed: its id is the same whenever it is repeated, `seconds` is the Unix time of this attempt. */
interface SignedCall {
  id: string
  seconds: number
  body: string
}

/**
 * Makes the headers by which a receiver checks the caller, in two forms: `X-Webhook-Signature`, HMAC-SHA256 of
 * `<timestamp>.<body>`, and those of Standard Webhooks (standardwebhooks.com), over `<id>.<timestamp>.<body>`.
 * @param previous the secret that signs beside the new one after a rotation, in the second form, which may hold several
 */
export function webhookSignature(
  secret: string,
  { id, seconds, body }: SignedCall,
  previous: string | null = null,
): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const standard = [secret, ...(previous === null ? [] : [previous])].map(
    (key) =>
      `v1,${createHmac('sha256', standardKey(key)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  )
  return {
    'X-Webhook-Signature': `sha256=${mac}`,
    'X-Webhook-Timestamp': String(seconds),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  }
}

/** A Standard Webhooks key is base64 after `whsec_`. Any other secret is used as its own bytes. */
function standardKey(secret: string): Buffer {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1]
  return base64 ? Buffer.from(base64, 'base64') : Buffer.from(secret)
}
