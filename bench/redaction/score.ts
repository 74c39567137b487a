import type { Case, Planted } from './sets.ts'

export interface Tally {
  found: number
  total: number
}

/** A planted value of which something was left, for the list of misses. */
export interface Miss {
  type: string
  language: string
  text: string
  output: string
}

/** Type names as Parley and the peers write them: the `MAIL` in one is no rest of a value. */
const PLACEHOLDER =
  /\[[A-Z][A-Z0-9_]*\]|<[A-Z][A-Z0-9_]*>|\b(?:EMAIL_ADDRESS|PHONE_NUMBER|PERSON_NAME|CREDIT_CARD_NUMBER)\b/g

/** Counts of planted values found, by type, with the misses. */
export function scoreRecall(cases: readonly Case[], outputs: readonly string[]) {
  const byType = new Map<string, Tally>()
  const misses: Miss[] = []
  cases.forEach((one, i) => {
    const output = outputs[i] ?? ''
    const left = output.replace(PLACEHOLDER, '\u0000').normalize('NFKC')
    const outside = textOutside(one).normalize('NFKC')
    for (const value of one.planted) {
      const tally = byType.get(value.type) ?? { found: 0, total: 0 }
      byType.set(value.type, tally)
      tally.total++
      if (isGone(value, left, outside)) tally.found++
      else misses.push({ type: value.type, language: one.language, text: one.text, output })
    }
  })
  return { byType, misses }
}

/** The cases whose text changed although nothing in them is personal. */
export function scoreAlarms(cases: readonly Case[], outputs: readonly string[]): Miss[] {
  return cases.flatMap((one, i) => {
    const output = outputs[i] ?? ''
    return output === one.text ? [] : [{ type: 'alarm', language: one.language, text: one.text, output }]
  })
}

/** Words outside the planted values, and how many of them the output no longer has. */
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
 * No run of four characters of the value is left, save runs that the rest of the message has of its own. All three
 * are compared in compatibility form: digits that only turned from full-width to ASCII are still there.
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

function textOutside({ text, planted }: Case): string {
  let outside = ''
  let at = 0
  for (const { start, end } of planted) {
    outside += `${text.slice(at, start)}\u0000`
    at = end
  }
  return outside + text.slice(at)
}

/** Runs of letters, digits and underscores; each Han, kana, Hangul or Thai character by itself. */
function words(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+/gu,
    ) ?? []
  )
}
