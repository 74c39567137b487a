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
 * thoughts, even if the JSON was cut off after the score. An answer with several scores is refused: the judged text may
 * have had the model quote one.
 * @throws EvaluatorError bad_answer
 */
export function parseVerdict(answer: string): Verdict {
  const text = answer.replace(THOUGHT, '')
  const [begin, lastBegin, end] = [text.indexOf('{'), text.lastIndexOf('{'), text.lastIndexOf('}')]
  if (lastBegin > end) {
    // What was cut off counts only if nothing else could be a score.
    const isAlone = begin === lastBegin && end < 0
    const cut = isAlone && readVerdict({ score: CUT_OFF.exec(text)?.[1] })
    if (cut) return cut
    throw new EvaluatorError('bad_answer', 'the answer was cut off')
  }
  const whole = readVerdict(tryParse(text.slice(begin, end + 1)))
  const [verdict, ...others] = whole ? [whole] : verdictsIn(text)
  if (!verdict) throw new EvaluatorError('bad_answer', 'the answer has no score from 0 to 1')
  if (others.some(({ score }) => score !== verdict.score))
    throw new EvaluatorError('bad_answer', 'the answer has several scores')
  return verdict
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
 * Finds the verdicts among the JSON objects in a text, and in those without a score. Each ends at the first brace at
 * which it parses.
 * @returns none if the text has too many braces to look at all of them
 */
function verdictsIn(text: string): Verdict[] {
  const found: Verdict[] = []
  let looked = 0
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
      if (++looked > MOST_OBJECTS) return []
      const value = tryParse(text.slice(start, end + 1))
      if (value === undefined) continue
      const verdict = readVerdict(value)
      if (verdict) {
        found.push(verdict)
        start = end
      }
      break
    }
  }
  return found
}

function tryParse(json: string): unknown {
  try {
    return readPeerJson(json, { bytes: LARGEST_OBJECT })
  } catch {
    return undefined
  }
}
