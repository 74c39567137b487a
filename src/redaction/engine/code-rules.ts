import type { CodeRule, Recognizer } from './recognizer.ts'

const MOST_LETTERS = 8
const MOST_DIGITS = 20

/** A rule with the recognizer that it belongs to. */
export interface CodeEntry {
  recognizer: Recognizer
  order: number
  rule: CodeRule
}

/** Rules for codes that begin with as many letters and digits. */
interface Group {
  entries: readonly CodeEntry[]
  /** Whether any of their patterns may match: one look for the usual number, which is no code. */
  any: RegExp
}

/** The rules of which a pattern may match at `start`, where so many letters and then so many digits stand. */
export type FindCodeRules = (
  text: string,
  start: number,
  letters: number,
  digits: number,
) => readonly CodeEntry[]

/** Groups the rules that say how many letters their codes begin with. */
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
    // What a pattern takes up again is one of its own captures.
    return `(?:${pattern.source.replace(/\\([1-9])/g, (_, capture) => `\\${before + Number(capture)}`)})`
  })
  return { entries, any: new RegExp(sources.join('|'), 'iy') }
}
