import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import type { ServerSaid } from './context-exceeded.ts'
import type { ModelRequest } from './model.ts'
import { textOfContent } from './text-of-content.ts'

/** The most characters of an answer that are read. */
const READ = 16 * 1024
const LONGEST = 500
/** The most characters that are cleaned; the rest is dropped. */
const CLEANED = 4000
/** Text that looks like a key, even with most of it starred out. Names of models do not match. */
const KEY =
  /\b(?:(?:sk|pk|rk|gsk|xai|hf|nvapi|parley_key|parley_token)[-_]|AIza)[\w*.-]{8,}|\b(?:bearer|basic)\s+[\w+/=.~-]+|\b(?=\w*\d)[a-z0-9*]{32,}/gi
/** Only the part of an address before its query is kept: the query may hold a key. */
const QUERY = /(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi
const USER = /(https?:\/\/)[^\s/@"'<>]+@/gi
/** Shorter texts of a conversation are words that any message may contain. */
const SHORTEST_TEXT = 8
const MOST_LINES = 2000
/**
 * The shortest run of characters that two texts do not share by chance. Servers also repeat parts of what they refuse.
 */
const RUN = 16
/** The most characters of the newest lines that are compared run by run. */
const MOST_COMPARED = 200_000

/**
 * Reads what servers answer instead of a chat completion, in OpenAI's form or another.
 * @param body the answer's body, or its beginning
 */
export function readServerError(body: string): ServerSaid {
  const beginning = body.slice(0, READ)
  let answer: unknown
  try {
    answer = readPeerJson(beginning)
  } catch {
    const text = beginning.replace(/<[^<>]*>/g, ' ')
    return { code: null, message: text.trim() === '' ? null : text }
  }
  return readErrorObject(answer)
}

/** Reads an error answer that has already been parsed. */
export function readErrorObject(answer: unknown): ServerSaid {
  if (typeof answer === 'string') return { code: null, message: answer }
  if (Array.isArray(answer)) return readErrorObject(answer[0])
  if (typeof answer !== 'object' || answer === null) return { code: null, message: null }
  const fields: Record<string, unknown> = { ...answer }
  const message = [fields.message, fields.msg].find((text) => typeof text === 'string')
  if (typeof message === 'string') return { code: wordOf(fields.code) ?? wordOf(fields.type), message }
  const inner = fields.error ?? fields.detail ?? fields.errors
  return inner === undefined ? { code: null, message: null } : readErrorObject(inner)
}

/**
 * Removes what nobody should read: credentials, and texts of the conversation that servers repeat.
 * @param secrets credentials that the request carried
 */
export function cleanServerSaid(
  { code, message }: ServerSaid,
  secrets: readonly string[],
  { messages }: Pick<ModelRequest, 'messages'>,
): ServerSaid {
  const lines = newestLines(messages)
  const clean = (said: string | null) => {
    if (said === null) return null
    let text = unescaped(said.slice(0, CLEANED))
    for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[key]')
    for (const line of lines) text = text.replaceAll(line, '[text]')
    text = withoutRuns(text, lines)
    text = text.replace(USER, '$1').replace(QUERY, '$1').replace(KEY, '[key]')
    return text
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST)
      .toWellFormed()
  }
  return { code: clean(code), message: clean(message) }
}

/** Collects the lines that were sent, newest first, to look for them in what the server said. */
function newestLines(messages: ModelRequest['messages']): Set<string> {
  const lines = new Set<string>()
  for (const { content } of messages.toReversed()) {
    for (const line of textOfContent(content).split('\n')) {
      if (lines.size === MOST_LINES) return lines
      const text = line.trim()
      if (text.length >= SHORTEST_TEXT && text.length <= CLEANED) lines.add(text)
    }
  }
  return lines
}

/** Undoes the escapes of JSON, so that words that a server repeats look as they were sent. */
function unescaped(said: string): string {
  return said.replace(/\\+(?:u([\da-f]{4})|(.))/gi, (_, hex?: string, character = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : /[nrt]/.test(character) ? '\n' : character,
  )
}

/** Cuts what the lines and the server's words have in common, however the server cut or escaped it. */
function withoutRuns(said: string, lines: ReadonlySet<string>): string {
  const places = new Map<string, number[]>()
  for (let at = 0; at + RUN <= said.length; at++) {
    const run = said.slice(at, at + RUN)
    const known = places.get(run)
    if (known) known.push(at)
    else places.set(run, [at])
  }
  const isSent = new Uint8Array(said.length)
  let compared = 0
  for (const line of lines) {
    compared += line.length
    if (compared > MOST_COMPARED) break
    for (let at = 0; at + RUN <= line.length; at++) {
      const run = line.slice(at, at + RUN)
      for (const place of places.get(run) ?? []) isSent.fill(1, place, place + RUN)
      // The run is marked everywhere now, and lines may repeat it thousands of times.
      places.delete(run)
    }
  }
  let text = ''
  for (let at = 0; at < said.length; at++)
    if (!isSent[at]) text += said[at]
    else if (!isSent[at - 1]) text += '[text]'
  return text
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
