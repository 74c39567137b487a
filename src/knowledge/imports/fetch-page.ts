import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { OutboundError, type OutboundResponse, type TeamHttp } from '../../lib/outbound/outbound.ts'
import { retryAfterMs } from '../../lib/outbound/retry-after.ts'
import { because } from '../reasons.ts'

/** The outcome of a request for a page. */
export type Fetched =
  | {
      kind: 'read'
      address: string
      type: string
      charset: string | undefined
      bytes: Buffer
      isHidden: boolean
    }
  /** The page is at another address. */
  | { kind: 'moved'; to: string }
  /** The site says that there is no such page any more. */
  | { kind: 'gone'; reason: string }
  | {
      kind: 'failed'
      reason: string
      /** True if a later try may succeed. */
      isPassing: boolean
      /** The time that the site asks to wait. */
      waitMs: number
    }

const MOST_REDIRECTS = 5
const TIMEOUT_MS = 20_000
const MEGABYTE = 1024 * 1024
const MOST_BYTES = 20 * MEGABYTE
const MOST_WAIT_MS = 30_000

/**
 * Requests a page, and follows redirects as far as `mayFollow` allows: each is a guarded call of its own.
 * @param mayFollow returns the reason not to request an address; null: it may be requested
 */
export async function fetchPage(
  http: TeamHttp,
  address: string,
  mayFollow: (address: string) => string | null,
  signal: AbortSignal,
): Promise<Fetched> {
  let at = address
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(http, at, signal)
    if ('kind' in answer) return answer
    const { status, headers } = answer
    if (status < 300 || status >= 400 || headers.location === undefined)
      return at === address ? readAnswer(at, answer) : { kind: 'moved', to: at }
    if (redirects === MOST_REDIRECTS) return failed(because('too_many_redirects', { count: MOST_REDIRECTS }))
    const next = URL.parse(String(headers.location), at)
    if (!next) return failed(because('redirects_to_nothing'))
    next.hash = ''
    const refusal = mayFollow(next.href)
    if (refusal !== null) return failed(refusal)
    // A site may set a cookie and redirect back. There are no cookies here, so it would do so for ever.
    if (next.href === at) return failed(because('redirects_to_itself'))
    at = next.href
  }
}

/**
 * Requests a file that is no page, such as a robots.txt, and reads the target of a redirect in its place.
 * @param mayFollow returns the reason not to request an address; null: it may be requested
 */
export async function fetchFile(
  http: TeamHttp,
  address: string,
  mayFollow: (address: string) => string | null,
  signal: AbortSignal,
): Promise<Fetched> {
  const answer = await fetchPage(http, address, mayFollow, signal)
  return answer.kind === 'moved' ? fetchPage(http, answer.to, mayFollow, signal) : answer
}

async function ask(
  http: TeamHttp,
  address: string,
  signal: AbortSignal,
): Promise<OutboundResponse | Fetched> {
  try {
    return await http.request(address, {
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; Parley/1.0)',
        accept: 'text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf, */*;q=0.5',
        'accept-encoding': 'identity',
      },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MOST_BYTES,
      signal,
    })
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'aborted') throw error
    if (error.reason === 'too_large')
      return failed(because('larger_than', { megabytes: MOST_BYTES / MEGABYTE }))
    return { ...failed(error.message), isPassing: error.reason !== 'blocked' }
  }
}

function failed(reason: string): Fetched & { kind: 'failed' } {
  return { kind: 'failed', reason, isPassing: false, waitMs: 0 }
}

async function readAnswer(address: string, { status, headers, body }: OutboundResponse): Promise<Fetched> {
  if (status === 404 || status === 410) return { kind: 'gone', reason: because('status', { status }) }
  if (status !== 200) {
    const asked = retryAfterMs(headers) ?? 0
    const isPassing = status >= 500 || status === 429 || status === 408
    return { ...failed(because('status', { status })), isPassing, waitMs: Math.min(asked, MOST_WAIT_MS) }
  }
  const bytes = await unpacked(body, String(headers['content-encoding'] ?? ''))
  if (bytes === null) return failed(because('packed'))
  const [type = '', ...parameters] = String(headers['content-type'] ?? '').split(';')
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^\s"]+)/i.exec(part)?.[1]).find(Boolean)
  const isHidden = /\b(?:noindex|none)\b/i.test(String(headers['x-robots-tag'] ?? ''))
  return { kind: 'read', address, type: type.trim().toLowerCase(), charset, bytes, isHidden }
}

const gunzipped = promisify(gunzip)

/** Unpacks a body: some servers pack unasked, and some sitemaps are packed files. Returns null if it cannot. */
async function unpacked(body: Buffer, encoding: string): Promise<Buffer | null> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  if (!isPacked) return encoding === '' || encoding === 'identity' || encoding === 'gzip' ? body : null
  return gunzipped(body, { maxOutputLength: MOST_BYTES }).catch(() => null)
}
