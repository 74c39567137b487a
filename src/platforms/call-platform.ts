import { OutboundError, type OutboundResponse } from '../lib/outbound/outbound.ts'
import { PlatformError, type PlatformFailure, type PlatformHttp } from './platform.ts'

/** A call to a platform's API. */
export interface PlatformCall {
  method?: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: unknown
  /** Whether a repeat is harmless: one whose outcome is not known may then be tried again. */
  isRepeatable?: boolean
  /** Says what a refusal means where its status does not; null: the status does. */
  judge?: (status: number, body: unknown) => PlatformFailure | null
}

const TIMEOUT_MS = 10_000
const LONGEST_ANSWER = 256 * 1024
const LONGEST_WAIT_MS = 60 * 60 * 1000

/**
 * Calls a platform and reads its JSON answer.
 * @throws PlatformError
 */
export async function callPlatform(http: PlatformHttp, call: PlatformCall): Promise<unknown> {
  const { method = 'POST', url, headers, body, isRepeatable = false, judge } = call
  let response: OutboundResponse
  try {
    response = await http.request(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: LONGEST_ANSWER,
      truncate: true,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new PlatformError(failureOf(error, isRepeatable), `the platform gave no answer: ${error.message}`, {
      cause: error,
    })
  }
  const { status } = response
  const answer = parse(response.body)
  if (status >= 200 && status < 300) return answer
  const failure = judge?.(status, answer) ?? failureOfStatus(status)
  throw new PlatformError(failure, `the platform answered with status ${status}`, {
    status,
    retryAfterMs: retryAfter(response.headers['retry-after']),
  })
}

function failureOf(error: OutboundError, isRepeatable: boolean): PlatformFailure {
  if (error.reason === 'blocked' || error.reason === 'tls') return 'permanent'
  if (error.neverSent || isRepeatable) return 'retry'
  return 'unknown'
}

function failureOfStatus(status: number): PlatformFailure {
  if (status === 401 || status === 403) return 'unauthorized'
  return status === 429 || status >= 500 ? 'retry' : 'permanent'
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

/** Seconds or a date (RFC 9110 section 10.2.3), in milliseconds from now. */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_WAIT_MS) : null
}

/** The token that calls are made with. @throws PlatformError unauthorized when there is none */
export function accessToken(settings: { access_token?: string | undefined }): string {
  if (settings.access_token) return settings.access_token
  throw new PlatformError('unauthorized', 'the channel has no access token')
}

/** A setting without which nothing can be sent. @throws PlatformError permanent */
export function required(value: string | undefined, name: string): string {
  if (value) return value
  throw new PlatformError('permanent', `the channel has no ${name}`)
}
