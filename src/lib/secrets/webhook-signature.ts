import { createHmac } from 'node:crypto'

/** A signed call. Its id stays the same when it is repeated; `seconds` is the Unix time of this attempt. */
interface SignedCall {
  id: string
  seconds: number
  body: string
}

/**
 * Makes the headers by which a receiver checks the caller, in two forms: `X-Webhook-Signature`, HMAC-SHA256 of
 * `<timestamp>.<body>`, and those of Standard Webhooks (standardwebhooks.com), over `<id>.<timestamp>.<body>`.
 * @param previous the old secret after a rotation; it also signs in the second form, which may hold several signatures
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

/** Returns the bytes of a key. A Standard Webhooks key is base64 after `whsec_`; any other secret is used as it is. */
function standardKey(secret: string): Buffer {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1]
  return base64 ? Buffer.from(base64, 'base64') : Buffer.from(secret)
}
