import { type Automaton, compileAutomaton } from './automaton.ts'
import { parsePattern } from './parse-pattern.ts'

export interface LinearPatternOptions {
  ignoreCase?: boolean
  /** Whether the dot matches line ends too. */
  dotAll?: boolean
}

/** A pattern whose time depends on the length of the text alone, whatever pattern and text are. */
export interface LinearPattern {
  test(text: string): boolean
  /** The stretch of the text that the first match covers; matches that overlap are one stretch. */
  first(text: string): string | null
}

const KEPT = 500
const kept = new Map<string, LinearPattern>()

/**
 * Compiles a regular expression in JavaScript's syntax, without look-arounds and back-references. The newest ones are
 * kept: building the tables of one costs more than running it.
 * @throws Error with a message for whoever wrote the pattern
 */
export function linearPattern(source: string, options: LinearPatternOptions = {}): LinearPattern {
  const { ignoreCase = false, dotAll = false } = options
  const key = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}/${source}`
  const known = kept.get(key)
  if (known) return known
  const pattern = compilePattern(parsePattern(source, { ignoreCase, dotAll }).map(compileAutomaton))
  const [oldest] = kept.keys()
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, pattern)
  return pattern
}

function compilePattern(automata: readonly Automaton[]): LinearPattern {
  function first(text: string): string | null {
    let found: [start: number, end: number] | null = null
    for (const automaton of automata) {
      automaton(text, (start, end) => {
        if (!found || start < found[0]) found = [start, end]
      })
    }
    return found && text.slice(...(found as [number, number]))
  }
  return { first, test: (text) => first(text) !== null }
}
