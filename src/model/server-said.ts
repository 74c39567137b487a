import { decodeUri } from '../lib/decode-uri.ts'
import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import type { ServerSaid } from './context-exceeded.ts'
import { unescaped, withoutSent } from './without-sent.ts'

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
 * Removes what nobody should read: credentials, and texts of the request that servers repeat.
 * @param secrets credentials that the request carried
 * @param sent the request's body without the name of the model
 */
export function cleanServerSaid(
  { code, message }: ServerSaid,
  secrets: readonly string[],
  sent: object,
): ServerSaid {
  const clean = (said: string | null) => {
    if (said === null) return null
    let text = unescaped(said.slice(0, CLEANED))
    for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[key]')
    text = withoutSent(text, sent)
    text = text.replace(USER, '$1').replace(QUERY, '$1').replace(KEY, '[key]')
    return text
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST)
      .toWellFormed()
  }
  return { code: clean(code), message: clean(message) }
}

/**
 * Returns what a call carries that no error may repeat: the key, and the parts of the address that may be secret. Short
 * ones are left out, because they stand in any text.
 */
export function secretsOf({ username, password, searchParams }: URL, apiKey: string | null): string[] {
  const parts = [password, username].flatMap((part) => [part, decodeUri(part)])
  const long = [...parts, ...searchParams.values()].filter((value) => value.length >= 4)
  return apiKey === null ? long : [apiKey, ...long]
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
