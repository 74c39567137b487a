import { createHash } from 'node:crypto'
import { OutboundError, type OutboundStream, type TeamHttp } from '../../lib/outbound/outbound.ts'
import { retryAfterMs } from '../../lib/outbound/retry-after.ts'
import { type FetchReason, type Media, type MediaPlace, MediaRefused } from '../../platforms/media.ts'

/** Thrown when a file could not be fetched this time. */
export class MediaUnavailable extends Error {
  readonly reason: FetchReason
  readonly status: number | null
  /** The wait before the next try that the host asks for, in milliseconds. */
  readonly retryAfterMs: number | null

  constructor(reason: FetchReason, status: number | null = null, retryAfterMs: number | null = null) {
    super(`the file could not be fetched: ${reason}`)
    this.name = 'MediaUnavailable'
    this.reason = reason
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface Fetching {
  http: Pick<TeamHttp, 'stream'>
  /** The channel's own base address, which may be private. */
  base: string | undefined
  /** The most bytes of a file. */
  limit: number
  signal: AbortSignal
}

const TIMEOUTS = { firstByteMs: 20_000, idleMs: 20_000, totalMs: 120_000 }
const MOST_REDIRECTS = 5

/**
 * Yields the bytes of a file as they come. Only hosts that the place names are asked, over TLS and at public addresses.
 * The host of the channel's own base address is exempt from both. Only hosts of the platform get the token.
 * @throws MediaRefused, MediaUnavailable, also midway
 */
export async function* fetchMedia(
  fetching: Fetching,
  place: MediaPlace,
  media: Pick<Media, 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const { status, headers, body, hadToken } = await open(fetching, place)
  try {
    // Also refuses 202, the answer for a file that the platform still prepares.
    if (status !== 200) throw failureOf(status, hadToken, retryAfterMs(headers))
    if (Number(headers['content-length']) > fetching.limit) throw new MediaRefused('too_large')
    yield* checkedMedia(inChunks(body), fetching.limit, media)
  } catch (error) {
    throw unavailable(error)
  } finally {
    body.discard()
  }
}

/**
 * Yields the bytes of a file as they come, up to a limit.
 * @throws MediaRefused; MediaUnavailable when their hash is not that of the platform; what reading them throws
 */
export async function* checkedMedia(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
  { sha256 }: Pick<Media, 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new MediaRefused('too_large')
    hash.update(chunk)
    yield chunk
  }
  if (size === 0) throw new MediaRefused('empty')
  if (sha256 !== undefined && hash.digest('base64') !== sha256) throw new MediaUnavailable('damaged')
}

async function* inChunks(body: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  for await (const chunks of body) yield* chunks
}

/** Asks for a file, and follows redirects as far as the place allows. */
async function open(
  { http, base, signal }: Fetching,
  place: MediaPlace,
): Promise<OutboundStream & { hadToken: boolean }> {
  const { url: first, headers = {}, tokenHosts = [], otherHosts = [] } = place
  const own = base === undefined ? undefined : URL.parse(base)?.host
  let url = URL.parse(first)
  // The token stays behind for good once a redirect leaves its host.
  let mayHaveToken = true
  for (let redirects = 0; url && redirects <= MOST_REDIRECTS; redirects++) {
    const { host, hostname, protocol } = url
    const isOwn = host === own
    const isOfPlatform = isOwn || isAmong(hostname, tokenHosts)
    const isKnown = isOfPlatform || otherHosts === 'any' || isAmong(hostname, otherHosts)
    if (!isKnown || !(isOwn || protocol === 'https:')) throw new MediaRefused('address_refused')
    mayHaveToken &&= isOfPlatform
    const answer = await http
      .stream(url, {
        headers: mayHaveToken ? headers : {},
        timeouts: TIMEOUTS,
        signal,
        ...(isOwn ? {} : { publicOnly: true }),
      })
      .catch((error) => {
        throw unavailable(error)
      })
    const { location } = answer.headers
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined)
      return { ...answer, hadToken: mayHaveToken && 'headers' in place }
    answer.body.discard()
    const next = URL.parse(location, url)
    mayHaveToken &&= next?.host === host
    url = next
  }
  throw new MediaRefused('address_refused')
}

function isAmong(hostname: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
}

function failureOf(status: number, hadToken: boolean, wait: number | null): MediaUnavailable {
  if (hadToken && (status === 401 || status === 403)) return new MediaUnavailable('unauthorized', status)
  // A signed address that has run out is forbidden.
  if ([401, 403, 404, 410].includes(status)) return new MediaUnavailable('gone', status)
  return new MediaUnavailable('unreachable', status, wait)
}

function unavailable(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.reason === 'blocked') return new MediaRefused('address_refused')
  return new MediaUnavailable('unreachable')
}
