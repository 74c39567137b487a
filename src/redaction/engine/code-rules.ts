import type { CodeRule, Recognizer } from './recognizer.ts'

const MOST_LETTERS = 8
const MOST_DIGITS = 31

/** A rule with the recognizer that it belongs to. */
export interface CodeEntry {
  recognizer: Recognizer
  order: number
  rule: CodeRule
}

/** The rules for codes that begin with so many letters and, behind them, so many digits. */
export type FindCodeRules = (letters: number, digits: number) => readonly CodeEntry[]

/** Groups the rules that say with how many letters and digits their codes begin. */
export function compileCodeRules(entries: readonly CodeEntry[]): FindCodeRules {
  const groups: (readonly CodeEntry[])[] = []
  for (let letters = 0; letters <= MOST_LETTERS; letters++) {
    for (let digits = 0; digits <= MOST_DIGITS; digits++) {
      groups.push(entries.filter(({ rule }) => begins(rule, letters, digits)))
    }
  }
  return (letters, digits) =>
    letters > MOST_LETTERS || digits > MOST_DIGITS
      ? NONE
      : (groups[letters * (MOST_DIGITS + 1) + digits] as readonly CodeEntry[])
}

const NONE: readonly CodeEntry[] = []

function begins(rule: CodeRule, letters: number, digits: number): boolean {
  return (rule.letters?.includes(letters) && (rule.digits?.includes(digits) ?? true)) === true
}
