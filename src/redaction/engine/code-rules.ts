import type { CodeRule, Recognizer } from './recognizer.ts'

const LONGEST_LEAD = 8

/** A rule with the recognizer that it belongs to. */
export interface CodeEntry {
  recognizer: Recognizer
  order: number
  rule: CodeRule
}

/** Rules for codes with as many letters before their first digit. */
interface Group {
  entries: readonly CodeEntry[]
  /** Whether any of their patterns may match: one look for the usual number, which is no code. */
  any: RegExp
}

/** The rules of which a pattern may match at `start`, where a run with so many letters before its first digit begins. */
export type FindCodeRules = (text: string, start: number, letters: number) => readonly CodeEntry[]

/** Groups the rules that say how many letters their codes begin with. */
export function compileCodeRules(entries: readonly CodeEntry[]): FindCodeRules {
  const groups = Array.from({ length: LONGEST_LEAD + 1 }, (_, letters) =>
    groupOf(entries.filter(({ rule }) => rule.letters?.includes(letters))),
  )
  return (text, start, letters) => {
    const group = groups[letters]
    if (!group) return NONE
    group.any.lastIndex = start
    return group.any.test(text) ? group.entries : NONE
  }
}

const NONE: readonly CodeEntry[] = []

function groupOf(entries: readonly CodeEntry[]): Group | undefined {
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
