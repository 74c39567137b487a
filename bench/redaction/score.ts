import type { Case } from './sets.ts'
import type { Planted } from './templates.ts'

export interface Tally {
  found: number
  total: number
}

/** A planted value of which a part was left, for the list of misses. */
export interface Miss {
  type: string
  language: string
  text: string
  output: string
}

/** The type names that Parley and the peers write: the `MAIL` in one is not a remainder of a value. */
const PLACEHOLDER =
  /\[[A-Z][A-Z0-9_]*\]|<[A-Z][A-Z0-9_]*>|\b(?:EMAIL_ADDRESS|PHONE_NUMBER|PERSON_NAME|CREDIT_CARD_NUMBER)\b/g

/** Counts the planted values that were found, by type, and collects the misses. */
export function scoreRecall(cases: readonly Case[], outputs: readonly string[]) {
  const byType = new Map<string, Tally>()
  const misses: Miss[] = []
  cases.forEach((one, i) => {
    const output = outputs[i] ?? ''
    const found = foundValues(one, output)
    for (const value of one.planted) {
      const tally = byType.get(value.type) ?? { found: 0, total: 0 }
      byType.set(value.type, tally)
      tally.total++
      if (found.has(value)) tally.found++
      else misses.push({ type: value.type, language: one.language, text: one.text, output })
    }
  })
  return { byType, misses }
}

/** Returns the planted values of which the output has nothing left. */
export function foundValues<T extends Planted>(one: { text: string; planted: T[] }, output: string): Set<T> {
  const left = output.replace(PLACEHOLDER, '\u0000').normalize('NFKC')
  const outside = textOutside(one).normalize('NFKC')
  return new Set(one.planted.filter((value) => isGone(value, left, outside)))
}

/** Returns the cases whose text changed although nothing in them is personal. */
export function scoreAlarms(cases: readonly Case[], outputs: readonly string[]): Miss[] {
  return cases.flatMap((one, i) => {
    const output = outputs[i] ?? ''
    return output === one.text ? [] : [{ type: 'alarm', language: one.language, text: one.text, output }]
  })
}

/** Counts the words outside the planted values, and those of them that the output has lost. */
export function scoreWordsLost(cases: readonly Case[], outputs: readonly string[]): Tally {
  const tally = { found: 0, total: 0 }
  cases.forEach((one, i) => {
    const left = new Map<string, number>()
    for (const word of words(outputs[i] ?? '')) left.set(word, (left.get(word) ?? 0) + 1)
    for (const word of words(textOutside(one))) {
      const count = left.get(word) ?? 0
      tally.total++
      if (count === 0) tally.found++
      else left.set(word, count - 1)
    }
  })
  return tally
}

/**
 * Tells whether no run of four characters of the value is left, except runs that the rest of the message also has. All
 * three are compared in compatibility form: digits that only changed from full-width to ASCII count as left.
 */
function isGone(value: Planted, output: string, outside: string): boolean {
  return value.secrets.every((original) => {
    const secret = original.normalize('NFKC')
    for (let at = 0; at === 0 || at + 4 <= secret.length; at++) {
      const run = secret.slice(at, at + 4)
      if (output.includes(run) && occurrences(output, run) > occurrences(outside, run)) return false
    }
    return true
  })
}

const occurrences = (text: string, run: string) => text.split(run).length - 1

function textOutside({ text, planted }: { text: string; planted: Planted[] }): string {
  let outside = ''
  let at = 0
  for (const { start, end } of planted) {
    outside += `${text.slice(at, start)}\u0000`
    at = end
  }
  return outside + text.slice(at)
}

/** Splits into runs of letters, digits and underscores; each Han, kana, Hangul or Thai character is a word. */
function words(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+/gu,
    ) ?? []
  )
}
