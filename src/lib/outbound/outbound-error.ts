import { errors } from 'undici'
import { errorCode } from '../error-code.ts'
import { outboundMessages } from './outbound-messages.ts'

/** The error of an outgoing call that got no answer. The message holds no credentials, no query string and no body. */
export class OutboundError extends Error {
  readonly reason: OutboundReason

  /** True if the request certainly never left: the name did not resolve, or there was no connection. */
  get neverSent(): boolean {
    return this.reason === 'blocked' || NEVER_SENT.has(errorCode(this.cause))
  }

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutboundError'
    this.reason = reason
  }
}

/**
 * The reason of a failure:
 * - `blocked`: outgoing calls may not reach the target
 * - `timeout`: connecting, answering or the whole exchange took too long
 * - `unreachable`: no such name, connection refused, or cut before its end
 * - `tls`: no secure connection, as with an untrusted certificate
 * - `protocol`: the peer breaks the rules of HTTP, or the request cannot be sent as given
 * - `too_large`: the answer is larger than the caller accepts
 * - `aborted`: the caller's signal fired
 */
export type OutboundReason =
  | 'blocked'
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'protocol'
  | 'too_large'
  | 'aborted'

/** Turns an error of undici, node:net or node:tls into one of ours, with the original as its cause. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  // A parser error holds data that the peer sent, which must not get into a log.
  if (error instanceof errors.HTTPParserError) return new OutboundError('protocol', outboundMessages.protocol)
  const reason = reasonOf(errorCode(error))
  return new OutboundError(reason, outboundMessages[reason], error)
}

function reasonOf(code: string): 'timeout' | 'protocol' | 'tls' | 'unreachable' {
  if (TIMEOUT.has(code)) return 'timeout'
  if (PROTOCOL.has(code)) return 'protocol'
  if (/^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/.test(code)) {
    return 'tls'
  }
  return 'unreachable'
}

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const TIMEOUT = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

const PROTOCOL = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])
