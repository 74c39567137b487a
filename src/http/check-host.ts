import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { timesSent } from './times-sent.ts'

/** `uri-host [":" port]` of RFC 9110 section 7.2: a name, an IPv4 address, or an IP literal in brackets. */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[\w.:~!$&'()*+,;=-]+\])(?::\d*)?$/i

/**
 * Refuses a request without exactly one valid Host header (RFC 9112 section 3.2).
 * @throws ApiError invalid_request
 */
export function checkHost(request: IncomingMessage): void {
  const { host } = request.headers
  if (host === undefined) {
    if (request.httpVersion !== '1.1') return
    throw new ApiError('invalid_request', { message: 'The request has no Host header.' })
  }
  if (!HOST.test(host) || timesSent(request, 'host') > 1)
    throw new ApiError('invalid_request', { message: 'The Host header is not valid.' })
}
