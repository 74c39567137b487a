import { hash } from 'node:crypto'
import { newest } from '../../lib/newest.ts'
import type { PatternRedactor } from '../pattern-redactor.ts'

/** A value that was found in a text. */
interface FoundValue {
  type: string
  value: string
}

/** A text in parts, in order: what stays, and the values that were found. */
export type ScannedText = readonly (string | FoundValue)[]

/** Finds the values in a text. */
export type ScanText = (text: string) => ScannedText

const TEXTS_KEPT = 5000
/** The time for which a text with values is kept. Of others only a hash is. */
const KEPT_MS = 10 * 60_000

/**
 * Finds what a redactor would replace, including what only another replacement exposes. Findings are kept in memory for
 * minutes, because a conversation is sent again with each of its prompts.
 */
export function scansTexts(redactor: PatternRedactor): ScanText {
  const kept = newest<string, ScannedText | 'nothing'>(TEXTS_KEPT)
  return (text) => {
    const key = hash('sha256', text, 'base64url')
    const known = kept.get(key)
    if (known) return known === 'nothing' ? [text] : known
    const scanned = scan(redactor, text)
    if (scanned.length === 1) kept.set(key, 'nothing')
    else kept.set(key, scanned, KEPT_MS)
    return scanned
  }
}

function scan(redactor: PatternRedactor, text: string): ScannedText {
  const found: FoundValue[] = []
  let mark = 'M'
  while (text.includes(`[${mark}_`)) mark += 'M'
  const marked = redactor.redact(text, (type, value) => `[${mark}_${lettersOf(found.push({ type, value }))}]`)
  if (found.length === 0) return [text]
  const places = new Map(found.map((one, at) => [lettersOf(at + 1), one]))
  const parts = marked.split(new RegExp(`\\[${mark}_([A-Z]+)\\]`))
  return parts.map((part, at) => (at % 2 === 0 ? part : (places.get(part) as FoundValue)))
}

/** Writes a number in capital letters, as a placeholder may hold any number of them. */
function lettersOf(number: number): string {
  let letters = ''
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}
