import { createHmac } from 'node:crypto'

/**
 * The headers by which a receiver checks who calls: HMAC-SHA256 of `<timestamp>.<body>`.
 * @param seconds Unix time
 */
export function webhookSignature(secret: string, seconds: number, body: string): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'X-Webhook-Signature': `sha256=${mac}`, 'X-Webhook-Timestamp': String(seconds) }
}
