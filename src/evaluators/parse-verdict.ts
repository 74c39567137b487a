import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import { storableText } from '../lib/storable-text.ts'
import { EvaluatorError, type Verdict } from './evaluator.ts'

const LONGEST_REASON = 2000
/** The most stretches of a text that are tried as a JSON object. */
const MOST_OBJECTS = 20
/** The most bytes of such an object. */
const LARGEST_OBJECT = 64 * 1024
const THOUGHT = /^\s*<think>[\s\S]*?<\/think>/i
/** The score of a JSON object that was cut off after its score. */
const CUT_OFF = /^[^{]*\{[^{}]*?"score"\s*:\s*"?(\d+(?:\.\d+)?)"?\s*,/

/**
 * Reads the score and reason that a model wrote as JSON: alone, between other words, in a code block or after its
 * thoughts, even if the JSON was cut off after the score.
 * @throws EvaluatorError bad_answer
 */
export function parseVerdict(answer: string): Verdict {
  const text = answer.replace(THOUGHT, '')
  for (const candidate of objectsIn(text)) {
    const verdict = readVerdict(candidate)
    if (verdict) return verdict
  }
  const cut = readVerdict({ score: CUT_OFF.exec(text)?.[1] })
  if (cut) return cut
  throw new EvaluatorError('bad_answer', 'the answer has no score from 0 to 1')
}

/** Reads a score from 0 to 1, and the reason if there is one; null when there is no such score. */
function readVerdict(value: unknown): Verdict | null {
  const { score: given, reason } = (value ?? {}) as { score?: unknown; reason?: unknown }
  const score = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return null
  return { score, content: boundedReason(reason) }
}

/** Shortens a reason, and removes characters that the database cannot store. */
export function boundedReason(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason === '') return null
  return storableText(reason.slice(0, LONGEST_REASON))
}

/**
 * Yields the JSON object that makes up the text, and then the objects in it in their order. Each ends at the first
 * brace at which it parses.
 */
function* objectsIn(text: string): Generator<unknown> {
  const whole = tryParse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  if (whole !== undefined) yield whole
  let looked = 0
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
      if (++looked > MOST_OBJECTS) return
      const value = tryParse(text.slice(start, end + 1))
      if (value === undefined) continue
      yield value
      break
    }
  }
}

function tryParse(json: string): unknown {
  try {
    return readPeerJson(json, { bytes: LARGEST_OBJECT })
  } catch {
    return undefined
  }
}
