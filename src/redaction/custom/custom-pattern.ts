import { compileAutomata } from '../../lib/linear-pattern/automaton.ts'
import { parsePattern } from '../../lib/linear-pattern/parse-pattern.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { view } from '../engine/view.ts'

/** A pattern that an agent brings along; what it matches becomes `[name]`. */
export interface CustomPattern {
  name: string
  /** A regular expression without look-arounds and back-references. */
  pattern: string
  /** `i` to ignore case, `s` to let the dot match line ends; `g`, `m` and `u` change nothing. */
  flags?: string
}

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/

/**
 * Checks a pattern before it is kept. It is run by an automaton whose time depends on the length of the text alone, so
 * it cannot be made slow; what such an automaton cannot do, and what would be slow elsewhere, is refused.
 * @throws Error with a message for whoever wrote the pattern
 */
export function checkCustomPattern(custom: CustomPattern): void {
  recognizeCustom(custom)
}

/** The recognizer for a pattern. @throws Error as checkCustomPattern does */
export function recognizeCustom({ name, pattern, flags = '' }: CustomPattern): Recognizer {
  if (!NAME.test(name)) throw new Error('the name must be capital letters, digits and underscores')
  if (name.replace(/\D/g, '').length > 3) throw new Error('the name must not have more than three digits')
  if (!/^[gimsu]*$/.test(flags)) throw new Error('of the flags only g, i, m, s and u are known')
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
