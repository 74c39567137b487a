import { type CharacterSet, literal, readClass, readEscape } from './character-set.ts'

/** A piece of a pattern that consumes characters. */
export type Node =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; nodes: Node[] }
  | { kind: 'choice'; nodes: Node[] }
  | { kind: 'repeat'; node: Node; least: number; most: number }

/** A condition at one end of a match. */
export type Assertion = 'word boundary' | 'no word boundary' | 'start' | 'end'

/** One alternative of a pattern. */
export interface Branch {
  node: Node
  before: Assertion[]
  behind: Assertion[]
}

interface ParseOptions {
  ignoreCase: boolean
  dotAll: boolean
  /** True if the pattern may match the empty text, which then stands in every text. */
  mayBeEmpty?: boolean
  /** The largest number of repeats that it may ask for. */
  mostRepeats?: number
}

const LONGEST_PATTERN = 1000
const DEEPEST = 50
const MOST_REPEATS = 128

/**
 * Parses a pattern in JavaScript's syntax into its alternatives.
 * @throws Error that says what is wrong or not supported
 */
export function parsePattern(pattern: string, options: ParseOptions): Branch[] {
  if (pattern.length > LONGEST_PATTERN)
    throw new Error(`the pattern is longer than ${LONGEST_PATTERN} characters`)
  return new Parser(pattern, options).parse()
}

class Parser {
  readonly #pattern: string
  readonly #options: ParseOptions
  #at = 0
  #depth = 0

  constructor(pattern: string, options: ParseOptions) {
    this.#pattern = pattern
    this.#options = options
  }

  parse(): Branch[] {
    const branches: Branch[] = []
    do {
      const before = this.#assertions()
      const node = this.#sequence()
      branches.push({ node, before, behind: this.#assertions() })
      if (this.#peek() !== '' && this.#peek() !== '|') throw this.#unexpected()
    } while (this.#take('|'))
    if (!this.#options.mayBeEmpty && branches.some(({ node }) => isNullable(node)))
      throw new Error('the pattern matches the empty text')
    return branches
  }

  #choice(): Node {
    if (++this.#depth > DEEPEST) throw new Error('the pattern is nested too deeply')
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    this.#depth--
    return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    while (this.#peek() !== '' && !'|)'.includes(this.#peek())) {
      if (this.#isAssertion()) break
      nodes.push(this.#repeat(this.#atom()))
    }
    return { kind: 'sequence', nodes }
  }

  #repeat(node: Node): Node {
    const bounds = this.#bounds()
    if (!bounds) return node
    this.#take('?')
    if (this.#bounds()) throw new Error('a repeat follows a repeat')
    const [least, most] = bounds
    if (most < least) throw new Error('a repeat has its bounds the wrong way round')
    const { mostRepeats = MOST_REPEATS } = this.#options
    if (least > mostRepeats || (most !== Infinity && most > mostRepeats)) {
      throw new Error(`a repeat is asked for more than ${mostRepeats} times`)
    }
    return { kind: 'repeat', node, least, most }
  }

  #bounds(): [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    if (this.#take('?')) return [0, 1]
    const match = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(this.#pattern.slice(this.#at, this.#at + 20))
    if (!match) return
    this.#at += match[0].length
    const least = Number(match[1])
    return [least, match[2] ? (match[3] ? Number(match[3]) : Infinity) : least]
  }

  #atom(): Node {
    const char = this.#peek()
    if (char === '(') return this.#group()
    if (char === '[') {
      const { set, end } = readClass(this.#pattern, this.#at, this.#options.ignoreCase)
      this.#at = end
      return { kind: 'set', set }
    }
    if (char === '.') {
      this.#at++
      return { kind: 'set', set: this.#options.dotAll ? () => true : (code) => code !== 10 && code !== 13 }
    }
    if (char === '\\') return this.#escape()
    if ('*+?{}])'.includes(char)) throw this.#unexpected()
    this.#at++
    return { kind: 'set', set: literal(char.charCodeAt(0), this.#options.ignoreCase) }
  }

  #escape(): Node {
    const next = this.#pattern.charAt(this.#at + 1)
    if (/[1-9k]/.test(next))
      throw new Error('back-references are not supported: they would not run in linear time')
    const escaped = readEscape(this.#pattern, this.#at)
    this.#at = escaped.end
    const set =
      typeof escaped.value === 'number' ? literal(escaped.value, this.#options.ignoreCase) : escaped.value
    return { kind: 'set', set }
  }

  #group(): Node {
    this.#at++
    if (/^\?(?:[=!]|<[=!])/.test(this.#pattern.slice(this.#at, this.#at + 3))) {
      throw new Error('look-arounds are not supported: they would not run in linear time')
    }
    const opening = /^\?(?::|<[A-Za-z_]\w{0,30}>)/.exec(this.#pattern.slice(this.#at, this.#at + 40))
    if (opening) this.#at += opening[0].length
    else if (this.#peek() === '?') throw this.#unexpected()
    const node = this.#choice()
    if (!this.#take(')')) {
      if (this.#isAssertion()) throw new Error('^, $, \\b and \\B may stand only at the ends of the pattern')
      throw new Error('a group is not closed')
    }
    return node
  }

  #assertions(): Assertion[] {
    const found: Assertion[] = []
    for (;;) {
      if (this.#take('^')) found.push('start')
      else if (this.#take('$')) found.push('end')
      else if (this.#take('\\b')) found.push('word boundary')
      else if (this.#take('\\B')) found.push('no word boundary')
      else return found
    }
  }

  #isAssertion(): boolean {
    return /^(?:\^|\$|\\[bB])/.test(this.#pattern.slice(this.#at, this.#at + 2))
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at)
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #unexpected(): Error {
    if (this.#isAssertion() || this.#pattern.slice(0, this.#at).match(/(?:\^|\$|\\[bB])$/)) {
      return new Error('^, $, \\b and \\B may stand only at the ends of the pattern')
    }
    return new Error(`"${this.#peek()}" at place ${this.#at + 1} is not expected here`)
  }
}

function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'sequence':
      return node.nodes.every(isNullable)
    case 'choice':
      return node.nodes.some(isNullable)
    case 'repeat':
      return node.least === 0 || isNullable(node.node)
  }
}
