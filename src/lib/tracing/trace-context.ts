import { randomHex } from '../ids.ts'

/** The position of a piece of work in a distributed trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** The caller's span; null where the trace begins here. */
  parentSpanId: string | null
  /** This work's own span, 16 hexadecimal digits. */
  spanId: string
  /** True if the caller may have recorded the trace. */
  sampled: boolean
  /** True if the trace id is known to be random. */
  random: boolean
  /** Data that other tracing systems pass along, ready to be sent; null if there is none. */
  tracestate: string | null
}

type HeaderValue = string | string[] | undefined

/**
 * Continues the trace of a request. Begins one, without `tracestate`, if `traceparent` is missing, given twice or
 * invalid. If only `tracestate` is invalid, drops that and continues the trace. Follows W3C Trace Context, levels 1 and
 * 2. Takes headers as node:http gives them, or as lists.
 */
export function continueTrace(headers: {
  traceparent?: HeaderValue
  tracestate?: HeaderValue
}): TraceContext {
  const parent = parseTraceparent(headers.traceparent)
  if (!parent) {
    const ids = randomHex(24)
    const spanId = ids.slice(32)
    return {
      traceId: ids.slice(0, 32),
      parentSpanId: null,
      spanId,
      sampled: true,
      random: true,
      tracestate: null,
    }
  }
  return { ...parent, spanId: newSpanId(), tracestate: parseTracestate(headers.tracestate) }
}

/** Makes a 16-digit id for a further span of a trace. */
export function newSpanId(): string {
  return randomHex(8)
}

/** Formats the `traceparent` header for calls made from this work. */
export function formatTraceparent(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-0${traceFlags(trace)}`
}

/** Returns the flags of `traceparent` as a number. */
export function traceFlags({ sampled, random }: Pick<TraceContext, 'sampled' | 'random'>): number {
  return (sampled ? SAMPLED : 0) | (random ? RANDOM : 0)
}

/** Reads the flags of `traceparent` and ignores unknown ones. */
export function readTraceFlags(flags: number): Pick<TraceContext, 'sampled' | 'random'> {
  return { sampled: (flags & SAMPLED) !== 0, random: (flags & RANDOM) !== 0 }
}

const SAMPLED = 1
const RANDOM = 2

/** Positions in `version-traceid-parentid-flags`, and the length of version 00. */
const TRACE_ID_AT = 3
const PARENT_ID_AT = 36
const FLAGS_AT = 53
const LENGTH = 55
const DASH = 0x2d

function parseTraceparent(
  header: HeaderValue,
): Pick<TraceContext, 'traceId' | 'parentSpanId' | 'sampled' | 'random'> | null {
  // Two headers that node:http has joined with a comma fail below.
  if (Array.isArray(header) && header.length !== 1) return null
  const text = trimBlanks(Array.isArray(header) ? (header[0] ?? '') : (header ?? ''))
  if (text.length < LENGTH || !hasVersionAndShape(text)) return null
  const traceId = text.slice(TRACE_ID_AT, PARENT_ID_AT - 1)
  const parentSpanId = text.slice(PARENT_ID_AT, FLAGS_AT - 1)
  if (traceId === '0'.repeat(32) || parentSpanId === '0'.repeat(16)) return null
  const flags = Number.parseInt(text.slice(FLAGS_AT, LENGTH), 16)
  return { traceId, parentSpanId, ...readTraceFlags(flags) }
}

function hasVersionAndShape(text: string): boolean {
  const version = text.slice(0, 2)
  if (!isHex(text, 0, 2) || version === 'ff') return false
  if (text.length > LENGTH && (version === '00' || text.charCodeAt(LENGTH) !== DASH)) return false
  return (
    text.charCodeAt(TRACE_ID_AT - 1) === DASH &&
    isHex(text, TRACE_ID_AT, PARENT_ID_AT - 1) &&
    text.charCodeAt(PARENT_ID_AT - 1) === DASH &&
    isHex(text, PARENT_ID_AT, FLAGS_AT - 1) &&
    text.charCodeAt(FLAGS_AT - 1) === DASH &&
    isHex(text, FLAGS_AT, LENGTH)
  )
}

function isHex(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (!isDigit(code) && !(code >= 0x61 && code <= 0x66)) return false
  }
  return true
}

const MAX_MEMBERS = 32

/** Reads the members in their order and joins them in one header; null if there are none or if any is invalid. */
function parseTracestate(header: HeaderValue): string | null {
  if (header === undefined) return null
  const members = new Map<string, string>()
  for (const part of (Array.isArray(header) ? header.join(',') : header).split(',')) {
    const member = trimBlanks(part)
    if (member === '') continue
    const equals = member.indexOf('=')
    const key = member.slice(0, Math.max(equals, 0))
    if (!isKey(key) || !isValue(member, equals + 1)) return null
    // A repeated key is an older entry, because new ones are put in front.
    if (!members.has(key)) members.set(key, member)
    if (members.size > MAX_MEMBERS) return null
  }
  return members.size === 0 ? null : [...members.values()].join(',')
}

/**
 * Tells whether a key has 1 to 256 characters that level 2 allows. Level 2 has no rule for the parts on either side of
 * an `@`; level 1, which the W3C's test suite follows, had one.
 */
function isKey(key: string): boolean {
  if (key.length === 0 || key.length > 256) return false
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    const isAlphanumeric = isDigit(code) || (code >= 0x61 && code <= 0x7a)
    if (!isAlphanumeric && (at === 0 || !AFTER_THE_FIRST.has(code))) return false
  }
  return true
}

const AFTER_THE_FIRST = new Set([...'_-*/@'].map((character) => character.charCodeAt(0)))

/**
 * Tells whether a value has 1 to 256 printable characters and no comma or equals sign. Blanks at its end are already
 * gone.
 */
function isValue(member: string, from: number): boolean {
  if (member.length === from || member.length - from > 256) return false
  for (let at = from; at < member.length; at++) {
    const code = member.charCodeAt(at)
    if (code < 0x20 || code > 0x7e || code === 0x2c || code === 0x3d) return false
  }
  return true
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Removes the spaces and tabs around a text. `trim()` would also remove line breaks and other blanks. */
function trimBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
