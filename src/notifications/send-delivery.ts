import { OutboundError, type TeamHttp } from '../lib/outbound/outbound.ts'
import { storableText } from '../lib/storable-text.ts'
import type { TraceContext } from '../lib/tracing/trace-context.ts'
import { inSpan, inTrace, type SpanAttributes } from '../lib/tracing/tracing.ts'
import type { DeliveryState } from './tables.ts'

/** A delivery that is `sending` already. */
export interface Sending {
  url: string
  headers: Record<string, string>
  body: string
  /** The trace in which the event happened. */
  trace: TraceContext | null
}

/** The result of an attempt to send a delivery. */
export interface Attempt {
  state: Extract<DeliveryState, 'delivered' | 'rejected' | 'failed' | 'blocked'>
  status: number | null
  failure: string | null
  durationMs: number
  answer: string | null
}

const TIMEOUT_MS = 10_000
const MOST_READ = 64 * 1024
const MOST_KEPT = 1024

/**
 * Posts a delivery once, within ten seconds and without redirects. It uses a new connection, because the receiver may
 * close a kept one at the moment it is used again. Only the status of the answer counts: its body may break off.
 * @param sending null when nothing may be sent to the address
 */
export async function sendDelivery(http: TeamHttp, sending: Sending | null): Promise<Attempt> {
  if (!sending) return { state: 'blocked', status: null, failure: 'blocked', durationMs: 0, answer: null }
  const attributes = { 'parley.webhook.id': sending.headers['webhook-id'] ?? '' }
  const send = () => attempt(http, sending)
  return inTrace(sending.trace, () => inSpan('webhook delivery', 'internal', attributes, send, outcome))
}

function outcome({ state }: Attempt): SpanAttributes {
  return { 'parley.delivery.state': state }
}

async function attempt(http: TeamHttp, { url, headers, body }: Sending): Promise<Attempt> {
  const started = performance.now()
  const duration = () => Math.round(performance.now() - started)
  try {
    const response = await http.request(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MOST_READ,
      truncate: true,
      freshConnection: true,
    })
    const isAccepted = response.status >= 200 && response.status < 300
    return {
      state: isAccepted ? 'delivered' : 'rejected',
      status: response.status,
      failure: null,
      durationMs: duration(),
      answer: excerpt(response.body),
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const state = error.reason === 'blocked' ? 'blocked' : 'failed'
    return { state, status: null, failure: error.reason, durationMs: duration(), answer: null }
  }
}

/** Returns the beginning of an answer, without characters that the database refuses. */
function excerpt(body: Buffer): string {
  return storableText(new TextDecoder('utf-8').decode(body.subarray(0, MOST_KEPT)))
}
