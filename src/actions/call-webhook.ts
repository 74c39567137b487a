import { type Clock, timestamp } from '../lib/clock.ts'
import { OutboundError, type TeamHttp } from '../lib/outbound/outbound.ts'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { webhookSignature } from '../lib/secrets/webhook-signature.ts'
import type { Action } from './action.ts'

const TIMEOUT_MS = 10_000

/** Whoever calls webhooks. */
export interface Caller {
  box: SecretBox
  http: TeamHttp
  clock: Clock
  userAgent: string
}

/** One call of a webhook. */
interface Call {
  action: Extract<Action, { type: 'call_webhook' }>
  /** The place where the action's secret is sealed. */
  place: SentPlace
  /** The same for the same call, so that the receiver knows it again. */
  id: string
  /** The body, beside the time. */
  payload: object
}

/** Calls an action's webhook once, signed as notifications are. @returns true if it answered with a 2xx status */
export async function callWebhook(
  { box, http, clock, userAgent }: Caller,
  { action, place, id, payload }: Call,
): Promise<boolean> {
  const now = clock()
  const body = JSON.stringify({ occurred_at: timestamp(now), ...payload })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
  }
  if (action.secret !== undefined) {
    const secret = box.openFor(action.url, action.secret, place)
    // A call that should be signed and cannot be is not sent.
    if (secret === null) return false
    Object.assign(headers, webhookSignature(secret, { id, seconds: Math.floor(now / 1000), body }))
  }
  try {
    const { status } = await http.request(action.url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: 64 * 1024,
      truncate: true,
      freshConnection: true,
    })
    return status >= 200 && status < 300
  } catch (error) {
    if (error instanceof OutboundError) return false
    throw error
  }
}
