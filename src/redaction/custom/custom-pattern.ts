import { compileAutomata } from '../../lib/linear-pattern/automaton.ts'
import { parsePattern } from '../../lib/linear-pattern/parse-pattern.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { view } from '../engine/view.ts'

/** A pattern that an agent adds. Matches become `[name]`. */
export interface CustomPattern {
  name: string
  /** A regular expression without lookarounds and backreferences. */
  pattern: string
  /** `i` ignores case, `s` lets the dot match line ends; `g`, `m` and `u` change nothing. */
  flags?: string
}

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/

/**
 * Checks a pattern before it is stored. An automaton runs the pattern in time that depends only on the length of the
 * text, so nobody can make it slow. Patterns that such an automaton cannot run are refused.
 * @throws Error with a message for the author of the pattern
 */
export function checkCustomPattern(custom: CustomPattern): void {
  recognizeCustom(custom)
}

/**
 * Makes the recognizer for a pattern.
 * @throws Error as checkCustomPattern does
 */
export function recognizeCustom({ name, pattern, flags = '' }: CustomPattern): Recognizer {
  if (!NAME.test(name)) throw new Error('the name must be capital letters, digits and underscores')
  if (name.replace(/\D/g, '').length > 3) throw new Error('the name must not have more than three digits')
  if (!/^[gimsu]*$/.test(flags)) throw new Error('the flags must be among g, i, m, s and u')
  const branches = parsePattern(view(pattern).text, {
    ignoreCase: flags.includes('i'),
    dotAll: flags.includes('s'),
  })
  const automata = compileAutomata(branches)
  return {
    type: name,
    label: 'Pattern of the agent',
    example: pattern,
    readsAll: true,
    find(page) {
      for (const automaton of automata) {
        automaton.find(page.text, (start, end) => page.add(name, start, end, 'alone'))
      }
    },
    examples: [],
    counterExamples: [],
  }
}
