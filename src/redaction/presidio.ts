import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import { atMost } from '../lib/pacing/at-most.ts'
import { compileWords, type FindWords, withoutAllowed } from './custom/own-words.ts'
import { hasOnlyPlaceholders, placeholderEnd } from './engine/placeholder.ts'
import { byType, type NamePlaceholder } from './numbered.ts'
import type { Redactor } from './redactor.ts'
import { replaceFindings } from './stretches.ts'
import { piecesOf } from './text-pieces.ts'

/** Sends a request. Passed in, so that this file needs no sockets. */
export type RedactionRequest = (
  url: string,
  call: {
    method: 'POST'
    headers: Record<string, string>
    body: string
    timeoutMs: number
    maxResponseBytes: number
  },
) => Promise<{ status: number; body: string }>

export interface PresidioOptions {
  /** The service's address, without `/analyze`. */
  url: string
  /** A bearer token to send. */
  apiKey: string | null
  language: string | null
  /** The score that a finding needs, between 0 and 1. */
  threshold: number | null
  /**
   * The service's entity types to look for; null: all. A mapping also gives the name of each type in its placeholder.
   */
  entities: readonly string[] | Readonly<Record<string, string>> | null
  /** Words that are never personal data. */
  allowed?: readonly string[]
  request: RedactionRequest
  /** The time limit for each text, or each piece of a long one; 15 seconds by default. */
  timeoutMs?: number
}

/**
 * The error thrown when the service fails or its answer cannot be trusted. Its part of the redaction has not been done.
 */
export class RedactionServiceError extends Error {
  override readonly name = 'RedactionServiceError'
}

const REQUESTS_AT_ONCE = 8
/**
 * The length beyond which a text is sent in pieces. The models behind Presidio refuse more than a million characters, and
 * neither a piece nor its answer holds the event loop for long.
 */
const LONGEST_PIECE = 50_000
/** The number of characters that a piece repeats of the one before it. */
const OVERLAP = 200
const TIMEOUT_MS = 15_000
/**
 * The limit of a response to a short text. A finding takes about a hundred bytes, and a text may have many findings.
 */
const LEAST_RESPONSE_BYTES = 64 * 1024
const RESPONSE_BYTES_PER_CHARACTER = 64
const ENTITY = /^[A-Z0-9_]{1,64}$/

interface Span {
  type: string
  start: number
  end: number
  score: number
}

/**
 * Makes a redactor that replaces the findings of a service. The service has the REST API of Presidio's analyzer
 * (`POST /analyze`). Placeholders that are already in a text stay.
 * @throws RedactionServiceError from `redact` if one of the texts could not be analyzed: then none counts as redacted
 */
export function createPresidioRedactor(options: PresidioOptions): Redactor {
  const { allowed = [] } = options
  const findAllowed = allowed.length > 0 ? compileWords(allowed) : () => []
  const inTurn = atMost(REQUESTS_AT_ONCE)
  return {
    async redact(texts, named = byType) {
      let hasFailed = false
      const find = (text: string) =>
        inTurn(async () => {
          if (hasFailed) throw new RedactionServiceError('the redaction service has failed before')
          try {
            return readSpans(await ask(text, options), text, options.entities)
          } catch (error) {
            hasFailed = true
            throw error
          }
        })
      return Promise.all(texts.map((text) => redactOne(text, find, findAllowed, named)))
    },
  }
}

async function redactOne(
  text: string,
  find: (text: string) => Promise<Span[]>,
  findAllowed: FindWords,
  named: NamePlaceholder,
): Promise<string> {
  // The service answers 500 to an empty text, and can find nothing in a text of placeholders.
  if (hasOnlyPlaceholders(text)) return text
  const found = await Promise.all(
    piecesOf(text, LONGEST_PIECE, OVERLAP).map(async ({ start, end }) => {
      const spans = await find(text.slice(start, end))
      return spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start }))
    }),
  )
  const spans = withoutAllowed(found.flat().sort(byPlace), findAllowed(text))
  return replaceFindings(text, chooseSpans(spans, text), named).text
}

async function ask(text: string, options: PresidioOptions): Promise<string> {
  const { url, apiKey, language, threshold, entities, request, timeoutMs = TIMEOUT_MS } = options
  const wanted = entities === null ? null : Array.isArray(entities) ? entities : Object.keys(entities)
  const body = JSON.stringify({
    text: text.toWellFormed(),
    language: language ?? 'en',
    ...(threshold === null ? {} : { score_threshold: threshold }),
    ...(wanted && wanted.length > 0 ? { entities: wanted } : {}),
  })
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (apiKey) headers.authorization = `Bearer ${apiKey}`
  let answer: { status: number; body: string }
  try {
    answer = await request(`${url.replace(/\/+$/, '')}/analyze`, {
      method: 'POST',
      headers,
      body,
      timeoutMs,
      maxResponseBytes: LEAST_RESPONSE_BYTES + text.length * RESPONSE_BYTES_PER_CHARACTER,
    })
  } catch (cause) {
    throw new RedactionServiceError('the redaction service could not be reached', { cause })
  }
  if (answer.status !== 200)
    throw new RedactionServiceError(`the redaction service answered ${answer.status}`)
  return answer.body
}

/** Reads an answer, and converts its offsets from code points to UTF-16 code units. */
function readSpans(body: string, text: string, entities: PresidioOptions['entities']): Span[] {
  let answer: unknown
  try {
    answer = readPeerJson(body)
  } catch {
    throw new RedactionServiceError('the redaction service did not answer with JSON that can be read')
  }
  if (!Array.isArray(answer))
    throw new RedactionServiceError('the redaction service did not answer with a list')
  const offsets = codePointOffsets(text)
  return answer.map((item: unknown) => readSpan(item, offsets, entities))
}

function readSpan(item: unknown, offsets: Int32Array | number, entities: PresidioOptions['entities']): Span {
  const { entity_type, start, end, score } = (item ?? {}) as Record<string, unknown>
  const last = typeof offsets === 'number' ? offsets : offsets.length - 1
  const isSpan = isInteger(start) && isInteger(end) && start >= 0 && start < end && end <= last
  if (!isSpan || typeof entity_type !== 'string') {
    throw new RedactionServiceError('the redaction service reported a finding that is not in the text')
  }
  const mapped =
    entities && !Array.isArray(entities) ? (entities as Record<string, string>)[entity_type] : undefined
  const type = mapped ?? entity_type
  if (!ENTITY.test(type))
    throw new RedactionServiceError('the redaction service reported an entity type that is not a valid name')
  return {
    type,
    start: typeof offsets === 'number' ? start : (offsets[start] as number),
    end: typeof offsets === 'number' ? end : (offsets[end] as number),
    score: typeof score === 'number' && Number.isFinite(score) ? score : 0,
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Returns the offset of each code point and of the end; only the length if every code point is one unit. */
function codePointOffsets(text: string): Int32Array | number {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return text.length
  const offsets = new Int32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    offsets[count] = at
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  }
  offsets[count] = text.length
  return offsets.subarray(0, count + 1)
}

/** Orders findings by their starts, the longest first. */
const byPlace = (a: Span, b: Span) => a.start - b.start || b.end - a.end

/** Drops findings that touch a placeholder. Overlapping findings become one, with the type of the best of them. @param spans in their order */
function chooseSpans(spans: Span[], text: string): Span[] {
  const placeholders = findPlaceholders(text)
  let at = 0
  const chosen: Span[] = []
  let best = 0
  for (const span of spans) {
    while (at < placeholders.length && (placeholders[at] as Span).end <= span.start) at++
    const placeholder = placeholders[at]
    if (placeholder && placeholder.start < span.end) continue
    const last = chosen.at(-1)
    if (!last || span.start >= last.end) {
      chosen.push({ ...span })
      best = span.score
      continue
    }
    last.end = Math.max(last.end, span.end)
    if (span.score > best) {
      last.type = span.type
      best = span.score
    }
  }
  return chosen
}

function findPlaceholders(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let start = text.indexOf('['); start >= 0; ) {
    const end = placeholderEnd(text, start)
    if (end > 0) found.push({ start, end })
    start = text.indexOf('[', end > 0 ? end : start + 1)
  }
  return found
}
