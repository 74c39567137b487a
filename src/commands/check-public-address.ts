import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { SETTINGS_MARK, STREAM_PROBE } from '../http/health.ts'
import { DAY_MS } from '../lib/clock.ts'

const ANSWER_WITHIN_MS = 10_000
/** A proxy that requests the body does so at once. */
const CONTINUE_WITHIN_MS = 5_000
/** Pieces of a stream may arrive together by chance, but not each time. */
const STREAM_TRIES = 3
/** A certificate that people renew is renewed in time; one that a program renews may live for days or hours. */
const CERTIFICATE_LEFT_MS = 14 * DAY_MS
const CERTIFICATE_LEFT_SHARE = 1 / 4

interface PublicAddress {
  /** The value of PARLEY_PUBLIC_URL. */
  url: string
  /** The largest number of bytes in a request. */
  largestBody: number
  /** The mark that `/healthz` sends of a service with the same settings. */
  mark: string
}

/**
 * Calls the service at its public address, and so through the proxy in front of it.
 * @returns a sentence that all is well
 * @throws Error that names every fault
 */
export async function checkPublicAddress(address: PublicAddress): Promise<string> {
  const { url } = address
  const health = await ask(url, '/healthz').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${url} cannot be reached: ${error.message || error.code}`)
  })
  const mark = health.headers[SETTINGS_MARK]
  if (mark === undefined)
    throw new Error(`what answers at ${url} is no Parley (status ${health.status} at /healthz)`)
  if (mark !== address.mark)
    throw new Error(`the Parley at ${url} is another one, or runs with other settings than this command has`)
  const wrong = [
    tlsFault(url, health),
    await originFault(url),
    await bodyFault(address),
    await bufferingFault(url),
  ].filter((fault) => fault !== null)
  if (wrong.length > 0) throw new Error(`${url}: ${wrong.join('; ')}`)
  return `${url} leads here, takes sign-ins and bodies of ${address.largestBody} bytes, and passes streams on at once`
}

function tlsFault(url: string, { certificate }: Answer): string | null {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:')
    return isLoopback(hostname) ? null : 'it has no TLS, so that passwords can be read on their way'
  if (certificate === null) return null
  const { from, to } = certificate
  const needed = Math.min(CERTIFICATE_LEFT_MS, CERTIFICATE_LEFT_SHARE * (to - from))
  return to > Date.now() + needed
    ? null
    : `its certificate ends on ${new Date(to).toISOString().slice(0, 10)}`
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

/**
 * Signs in with an empty object: a request that arrives as if from this service's pages is refused only for its body.
 */
async function originFault(url: string): Promise<string | null> {
  const { body, status } = await ask(url, '/console/api/session', {
    method: 'POST',
    headers: {
      origin: new URL(url).origin,
      'x-parley-console': '1',
      'content-type': 'application/json',
      'content-length': '2',
    },
    body: '{}',
  })
  if (/"code":"(invalid_request|rate_limited)"/.test(body)) return null
  if (body.includes('"code":"cross_site"'))
    return 'sign-in is refused as cross_site: the proxy takes away or changes the headers Origin or X-Parley-Console'
  return `sign-in does not reach Parley (status ${status})`
}

/** Announces a body of the largest size, and sends none of it. */
async function bodyFault({ url, largestBody }: PublicAddress): Promise<string | null> {
  const status = await new Promise<number>((resolve, reject) => {
    const asked = open(url, '/healthz', {
      method: 'POST',
      headers: {
        expect: '100-continue',
        'content-type': 'application/octet-stream',
        'content-length': largestBody,
      },
      timeout: CONTINUE_WITHIN_MS,
    })
    const done = (status: number) => {
      resolve(status)
      asked.destroy()
    }
    asked.on('continue', () => done(100))
    asked.on('response', ({ statusCode = 0 }) => done(statusCode))
    asked.on('timeout', () => done(0))
    asked.on('error', reject)
    asked.flushHeaders()
  })
  return status === 413
    ? `a body of ${largestBody} bytes is refused, which PARLEY_BODY_LIMIT or PARLEY_UPLOAD_LIMIT allows: raise the ` +
        'limit of the proxy (client_max_body_size of nginx)'
    : null
}

async function bufferingFault(url: string): Promise<string | null> {
  for (let tries = 0; tries < STREAM_TRIES; tries++) {
    const { status, pieces } = await ask(url, STREAM_PROBE)
    if (status !== 200) return `${STREAM_PROBE} does not reach Parley (status ${status})`
    if (pieces > 1) return null
  }
  return 'the proxy holds streams back until they end: turn its buffering off (proxy_buffering off of nginx)'
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
  /** The number of pieces in which the body came. */
  pieces: number
  /** The time in which the certificate is valid; null without TLS. */
  certificate: { from: number; to: number } | null
}

function ask(
  url: string,
  path: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = open(url, path, { ...options, timeout: ANSWER_WITHIN_MS })
    asked.on('error', reject)
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.on('response', async (response) => {
      const shown = (response.socket as TLSSocket).getPeerCertificate?.()
      const certificate = shown?.valid_to
        ? { from: Date.parse(shown.valid_from), to: Date.parse(shown.valid_to) }
        : null
      const pieces: string[] = []
      try {
        for await (const piece of response.setEncoding('utf8')) pieces.push(piece)
      } catch (error) {
        return reject(error)
      }
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body: pieces.join(''), pieces: pieces.length, certificate })
    })
    asked.end(body)
  })
}

function open(url: string, path: string, options: RequestOptions) {
  const request = url.startsWith('https:') ? overHttps : overHttp
  return request(url + path, { agent: false, ...options })
}
