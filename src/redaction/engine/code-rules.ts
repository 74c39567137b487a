import type { CodeRule, Recognizer } from './recognizer.ts'

const MOST_LETTERS = 8
const MOST_DIGITS = 20

/** A rule with the recognizer that it belongs to. */
export interface CodeEntry {
  recognizer: Recognizer
  order: number
  rule: CodeRule
}

/** The rules for codes that begin with the same number of letters and digits. */
interface Group {
  entries: readonly CodeEntry[]
  /** Matches where any of their patterns may match. One test dismisses a usual number, which is not a code. */
  any: RegExp
}

/** Finds the rules whose pattern may match at `start`, where this many letters and then this many digits stand. */
type FindCodeRules = (text: string, start: number, letters: number, digits: number) => readonly CodeEntry[]

/** Groups the rules by the number of letters with which their codes begin. */
export function compileCodeRules(entries: readonly CodeEntry[]): FindCodeRules {
  const groups: (Group | undefined)[][] = []
  for (let letters = 0; letters <= MOST_LETTERS; letters++) {
    const lead = entries.filter(({ rule }) => rule.letters?.includes(letters))
    groups.push(Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => groupOf(lead, digits)))
  }
  return (text, start, letters, digits) => {
    const group = groups[letters]?.[digits]
    if (!group) return NONE
    group.any.lastIndex = start
    return group.any.test(text) ? group.entries : NONE
  }
}

const NONE: readonly CodeEntry[] = []

function groupOf(all: readonly CodeEntry[], digits: number): Group | undefined {
  const entries = all.filter(({ rule }) => rule.digits?.includes(digits) ?? true)
  if (entries.length === 0) return
  let captures = 0
  const sources = entries.map(({ rule: { pattern } }) => {
    const before = captures
    captures += (new RegExp(`${pattern.source}|`).exec('') as RegExpExecArray).length - 1
    // Renumbers the backreferences of a pattern, which refer to its own captures.
    return `(?:${pattern.source.replace(/\\([1-9])/g, (_, capture) => `\\${before + Number(capture)}`)})`
  })
  return { entries, any: new RegExp(sources.join('|'), 'iy') }
}
