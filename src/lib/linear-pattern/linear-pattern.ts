import { newest } from '../newest.ts'
import { type Automaton, compileAutomata } from './automaton.ts'
import { type CharacterSet, isAsciiWord } from './character-set.ts'
import { parsePattern } from './parse-pattern.ts'

interface LinearPatternOptions {
  ignoreCase?: boolean
  /** True if the dot matches line ends too. */
  dotAll?: boolean
  /**
   * True if texts are only tested. The pattern may then match the empty text, and name four times as many characters,
   * because `test` needs no memory.
   */
  testsOnly?: boolean
}

/** A pattern whose running time depends only on the length of the text. */
export interface LinearPattern {
  test(text: string): boolean
  /** Returns the stretch of the text that the first match covers; matches that overlap are one stretch. */
  first(text: string): string | null
  /** True if a match may begin in a text and continue into, or depend on, the text that follows. */
  isOpen(text: string): boolean
  /** The microseconds that a character takes at most, roughly. */
  cost: number
}

const OTHER_WORD = /[\p{L}\p{N}\p{M}\p{Pc}]/u
/** Letters of every script. JavaScript's `\b` knows only those of English. */
const isWord: CharacterSet = (code) =>
  code < 128 ? isAsciiWord(code) : OTHER_WORD.test(String.fromCharCode(code))

const MOST_TESTED_PLACES = 512

/** The newest patterns. Each takes up to four megabytes, most a few kilobytes. */
const kept = newest<string, LinearPattern>(100)

/**
 * Compiles a regular expression in JavaScript's syntax, without look-arounds and back-references; `\b` knows the
 * letters of every script. The newest patterns are cached, because building one costs more than running it.
 * @throws Error with a message for the author of the pattern
 */
export function linearPattern(source: string, options: LinearPatternOptions = {}): LinearPattern {
  const { ignoreCase = false, dotAll = false, testsOnly = false } = options
  const key = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${testsOnly ? 't' : ''}/${source}`
  const known = kept.get(key)
  if (known) return known
  const larger = testsOnly ? { mayBeEmpty: true, mostRepeats: MOST_TESTED_PLACES } : {}
  const branches = parsePattern(source, { ignoreCase, dotAll, ...larger })
  const automata = compileAutomata(branches, isWord, testsOnly ? MOST_TESTED_PLACES : undefined)
  const pattern = compilePattern(automata)
  kept.set(key, pattern)
  return pattern
}

function compilePattern(automata: readonly Automaton[]): LinearPattern {
  function first(text: string): string | null {
    let found: [start: number, end: number] | null = null
    for (const automaton of automata) {
      automaton.find(text, (start, end) => {
        if (!found || start < found[0]) found = [start, end]
      })
    }
    return found && text.slice(...(found as [number, number]))
  }
  return {
    first,
    test: (text) => automata.some((automaton) => automaton.test(text)),
    isOpen: (text) => automata.some((automaton) => automaton.isOpen(text)),
    cost: automata.reduce((sum, { cost }) => sum + cost, 0),
  }
}
