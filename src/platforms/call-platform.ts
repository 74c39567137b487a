import { HOUR_MS } from '../lib/clock.ts'
import type { FormBody } from '../lib/outbound/multipart.ts'
import { OutboundError, type OutboundResponse } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { retryAfterMs } from '../lib/outbound/retry-after.ts'
import { type CallOutcome, type DeliveryReason, PlatformError, type PlatformHttp } from './platform.ts'

/** A call to a platform's API. */
export interface PlatformCall {
  method?: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as a form, in place of a body. */
  form?: Record<string, string>
  /** Sent as a form with a file, in place of a body. */
  upload?: FormBody
  /** Interprets an error answer when its status is not enough; null when the status decides. */
  judge?: (body: unknown) => Failure | null
  /** The limit of the call; ten seconds by default. */
  timeoutMs?: number
  /** The most bytes of the answer that are read. */
  longestAnswer?: number
  signal?: AbortSignal
}

export interface Failure {
  outcome: CallOutcome
  reason: DeliveryReason
  /** The wait before a repeat, when the answer's body asks for one. */
  retryAfterMs?: number | null
}

const TIMEOUT_MS = 10_000
const UPLOAD_TIMEOUT_MS = 120_000
const LONGEST_ANSWER = 256 * 1024
const LONGEST_WAIT_MS = HOUR_MS

/**
 * Calls a platform and reads its JSON answer.
 * @throws PlatformError
 */
export async function callPlatform(http: PlatformHttp, call: PlatformCall): Promise<unknown> {
  const {
    method = 'POST',
    url,
    headers,
    judge,
    timeoutMs = call.upload ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
    longestAnswer = LONGEST_ANSWER,
  } = call
  const content = contentOf(call)
  let response: OutboundResponse
  try {
    response = await http.request(url, {
      method,
      headers: { ...headers, ...content?.headers },
      ...(content ? { body: content.body } : {}),
      ...(call.signal ? { signal: call.signal } : {}),
      timeoutMs,
      maxResponseBytes: longestAnswer,
      truncate: true,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { outcome, reason } = failureOf(error)
    const message = `the platform gave no answer: ${error.message}`
    throw new PlatformError(outcome, reason, message, { cause: error })
  }
  const { status } = response
  const answer = readPeerJsonOrNull(response.body)
  if (status >= 200 && status < 300) return answer
  const { outcome, reason, retryAfterMs: told = null } = judge?.(answer) ?? failureOfStatus(status)
  const wait = told ?? retryAfterMs(response.headers)
  throw new PlatformError(outcome, reason, `the platform answered with status ${status}`, {
    status,
    retryAfterMs: wait === null ? null : Math.min(wait, LONGEST_WAIT_MS),
  })
}

function contentOf({ body, form, upload }: PlatformCall) {
  if (upload) return upload
  const of = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
  if (form) return of('application/x-www-form-urlencoded', new URLSearchParams(form).toString())
  return body === undefined ? null : of('application/json', JSON.stringify(body))
}

function failureOf(error: OutboundError): Failure {
  const reason = error.reason === 'timeout' ? 'too_slow' : 'unreachable'
  if (error.reason === 'blocked' || error.reason === 'tls') return { outcome: 'refused', reason }
  return { outcome: error.neverSent ? 'not_sent' : 'unknown', reason }
}

/** Interprets the status of a failed call. With a 5xx, the platform may already have accepted the message. */
function failureOfStatus(status: number): Failure {
  if (status === 401 || status === 403) return { outcome: 'refused', reason: 'unauthorized' }
  if (status === 429) return { outcome: 'not_sent', reason: 'rejected' }
  if (status === 408 || status === 504) return { outcome: 'unknown', reason: 'too_slow' }
  if (status >= 500) return { outcome: 'unknown', reason: 'unreachable' }
  return { outcome: 'refused', reason: 'rejected' }
}

/** Returns the id in a platform's answer. @throws PlatformError when there is none */
export function requireId(id: unknown): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  throw new PlatformError('unknown', 'rejected', 'the platform answered without an id')
}

/** Returns the token for the calls. @throws PlatformError when there is none */
export function accessToken(settings: { access_token?: string | undefined }): string {
  return requiredToken(settings.access_token)
}

/** Returns a token without which nothing can be called. @throws PlatformError when it is missing */
export function requiredToken(token: string | undefined): string {
  if (token) return token
  throw new PlatformError('refused', 'unauthorized', 'the channel has no access token')
}

/**
 * Returns a setting without which nothing can be sent.
 * @throws PlatformError when it is missing
 */
export function required(value: string | undefined, name: string): string {
  if (value) return value
  throw new PlatformError('refused', 'rejected', `the channel has no ${name}`)
}
