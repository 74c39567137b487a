import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { toObject } from '../lib/untrusted-json.ts'
import type { Failure } from './call-platform.ts'
import type { WebhookRequest } from './platform.ts'
import { headerOf, toNumber } from './wire.ts'

/**
 * The Graph API of Meta, which messenger-one and messenger-two share; instagram has its own with the same errors (https://developers.facebook.com/docs/graph-api).
 */
export const GRAPH = 'https://graph.facebook.com'
export const GRAPH_VERSION = 'v25.0'
/** The hosts on which Meta keeps files of messages. */
export const META_FILES = ['.fbsbx.com', '.fbcdn.net', '.whatsapp.net', '.cdninstagram.com']

/** Codes for too many calls or messages (Graph API and Cloud API error codes). */
const THROTTLED = new Set([4, 17, 32, 613, 80007, 130429, 131048, 131056])
/** Codes for a token that is no longer valid. */
const REFUSED = new Set([190, 102, 10, 200])

/** Checks `X-Hub-Signature-256` over the bytes as received; false without a secret. */
export function isSignedByApp({ raw, headers }: WebhookRequest, appSecret: string | undefined): boolean {
  const given = headerOf(headers, 'x-hub-signature-256')
  if (!appSecret || given === null) return false
  return equalInConstantTime(given, `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`)
}

/**
 * Interprets Graph's error objects. An error object means that the call was not carried out, and may mean that a repeat
 * would be.
 * @param windowClosed recognizes the platform's code for a closed reply window
 */
export function judgeGraph(windowClosed: (code: number, subcode: number) => boolean) {
  return (body: unknown): Failure | null => {
    const error = toObject(toObject(body)?.error)
    const code = toNumber(error?.code)
    if (windowClosed(code, toNumber(error?.error_subcode)))
      return { outcome: 'refused', reason: 'window_closed' }
    if (THROTTLED.has(code) || error?.is_transient === true)
      return { outcome: 'not_sent', reason: 'rejected' }
    if (REFUSED.has(code)) return { outcome: 'refused', reason: 'unauthorized' }
    return null
  }
}
