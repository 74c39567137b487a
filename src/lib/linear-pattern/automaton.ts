import { type CharacterSet, isAsciiWord } from './character-set.ts'
import type { Assertion, Branch, Node } from './parse-pattern.ts'

/** Reports stretches of a text that matches cover; matches that overlap are one stretch. */
export type Automaton = (text: string, found: (start: number, end: number) => void) => void

/** How many characters a pattern may name, repeats counted. Time per character of a text grows with it. */
const MOST_PLACES = 128
const CHUNK = 8

/** Glushkov's automaton: a state for each place in the pattern that consumes a character. */
interface Places {
  sets: CharacterSet[]
  /** The places that may follow each place. */
  follow: Set<number>[]
}

interface Part {
  first: Set<number>
  last: Set<number>
  isNullable: boolean
}

/**
 * Compiles a branch. All states are followed at once as bits, by tables over eight states each: every character
 * costs the same, whatever the pattern and the text. One run backward notes from where a match can still be
 * completed; one run forward keeps what can, which tells each character that is inside a match.
 * @param isWord the characters between which `\b` sees no boundary
 * @throws Error when the pattern is too large
 */
export function compileAutomaton(
  { node, before, behind }: Branch,
  isWord: CharacterSet = isAsciiWord,
): Automaton {
  const places: Places = { sets: [], follow: [] }
  const whole = build(node, places)
  const words = Math.ceil(places.sets.length / 32)
  const first = bitsOf(whole.first, words)
  const last = bitsOf(whole.last, words)
  const forward = stepTables(places.follow, words)
  const backward = stepTables(reverse(places.follow), words)
  const masks = characterMasks(places.sets, words)

  /** For each character, the places that may take it in a match that is completed behind it. */
  function readBackward(text: string): Int32Array {
    const alive = new Int32Array(text.length * words)
    const next = new Int32Array(words)
    for (let at = text.length - 1; at >= 0; at--) {
      const from = (at + 1) * words
      if (at + 1 < text.length) step(backward, alive, from, next, words)
      else next.fill(0)
      const ends = holds(behind, text, at + 1, isWord)
      const mask = masks(text.charCodeAt(at))
      for (let word = 0; word < words; word++) {
        alive[at * words + word] =
          ((next[word] as number) | (ends ? (last[word] as number) : 0)) & (mask[word] as number)
      }
    }
    return alive
  }

  return (text, found) => {
    const alive = readBackward(text)
    const state = new Int32Array(words)
    const next = new Int32Array(words)
    let start = -1
    for (let at = 0; at < text.length; at++) {
      step(forward, state, 0, next, words)
      let goesOn = 0
      let begins = 0
      const mayBegin = holds(before, text, at, isWord)
      for (let word = 0; word < words; word++) {
        const live = alive[at * words + word] as number
        const continued = (next[word] as number) & live
        const begun = mayBegin ? (first[word] as number) & live : 0
        goesOn |= continued
        begins |= begun
        state[word] = continued | begun
      }
      if (start >= 0 && goesOn === 0) {
        found(start, at)
        start = -1
      }
      if (start < 0 && begins !== 0) start = at
    }
    if (start >= 0) found(start, text.length)
  }
}

function build(node: Node, places: Places): Part {
  switch (node.kind) {
    case 'set': {
      if (places.sets.length >= MOST_PLACES) {
        throw new Error(`the pattern names more than ${MOST_PLACES} characters, repeats counted`)
      }
      const place = places.sets.push(node.set) - 1
      places.follow.push(new Set())
      return { first: new Set([place]), last: new Set([place]), isNullable: false }
    }
    case 'sequence':
      return node.nodes.map((inner) => build(inner, places)).reduce((a, b) => join(a, b, places), EMPTY)
    case 'choice':
      return node.nodes.map((inner) => build(inner, places)).reduce(either)
    case 'repeat':
      return buildRepeat(node, places)
  }
}

const EMPTY: Part = { first: new Set(), last: new Set(), isNullable: true }

function buildRepeat(node: Node & { kind: 'repeat' }, places: Places): Part {
  let whole = EMPTY
  const copies = node.most === Infinity ? Math.max(node.least, 1) : node.most
  for (let copy = 0; copy < copies; copy++) {
    const part = build(node.node, places)
    if (node.most === Infinity && copy === copies - 1) link(part.last, part.first, places)
    whole = join(whole, copy < node.least ? part : { ...part, isNullable: true }, places)
  }
  return whole
}

function join(a: Part, b: Part, places: Places): Part {
  link(a.last, b.first, places)
  return {
    first: a.isNullable ? a.first.union(b.first) : a.first,
    last: b.isNullable ? a.last.union(b.last) : b.last,
    isNullable: a.isNullable && b.isNullable,
  }
}

function either(a: Part, b: Part): Part {
  return {
    first: a.first.union(b.first),
    last: a.last.union(b.last),
    isNullable: a.isNullable || b.isNullable,
  }
}

function link(from: Set<number>, to: Set<number>, places: Places): void {
  for (const place of from) for (const next of to) places.follow[place]?.add(next)
}

function reverse(follow: readonly Set<number>[]): Set<number>[] {
  const reversed = follow.map(() => new Set<number>())
  follow.forEach((nexts, place) => {
    for (const next of nexts) reversed[next]?.add(place)
  })
  return reversed
}

function bitsOf(places: Iterable<number>, words: number): Int32Array {
  const bits = new Int32Array(words)
  for (const place of places) bits[place >> 5] = (bits[place >> 5] as number) | (1 << (place & 31))
  return bits
}

/** For each eight places, the union of what follows any combination of them. */
function stepTables(follow: readonly Set<number>[], words: number): Int32Array[] {
  const tables: Int32Array[] = []
  for (let base = 0; base < words * 32; base += CHUNK) {
    const table = new Int32Array(256 * words)
    for (let combination = 1; combination < 256; combination++) {
      const lowest = 31 - Math.clz32(combination & -combination)
      const rest = (combination & (combination - 1)) * words
      const own = bitsOf(follow[base + lowest] ?? [], words)
      for (let word = 0; word < words; word++) {
        table[combination * words + word] = (table[rest + word] as number) | (own[word] as number)
      }
    }
    tables.push(table)
  }
  return tables
}

function step(
  tables: readonly Int32Array[],
  from: Int32Array,
  offset: number,
  to: Int32Array,
  words: number,
): void {
  to.fill(0)
  for (let word = 0; word < words; word++) {
    let bits = from[offset + word] as number
    for (let chunk = word * 4; bits !== 0; chunk++, bits >>>= CHUNK) {
      const low = bits & 255
      if (low === 0) continue
      const table = tables[chunk] as Int32Array
      for (let out = 0; out < words; out++)
        to[out] = (to[out] as number) | (table[low * words + out] as number)
    }
  }
}

/** The places that take each character; asked of the sets once. */
function characterMasks(sets: readonly CharacterSet[], words: number): (code: number) => Int32Array {
  const known: (Int32Array | undefined)[] = new Array(128).fill(undefined)
  const others = new Map<number, Int32Array>()
  const build = (code: number): Int32Array =>
    bitsOf(
      sets.flatMap((set, place) => (set(code) ? [place] : [])),
      words,
    )
  return (code) => {
    let mask = code < 128 ? known[code] : others.get(code)
    if (!mask) {
      mask = build(code)
      if (code < 128) known[code] = mask
      else others.set(code, mask)
    }
    return mask
  }
}

function holds(assertions: readonly Assertion[], text: string, at: number, isWord: CharacterSet): boolean {
  if (assertions.length === 0) return true
  const isWordAt = (place: number) => isWord(text.charCodeAt(place))
  for (const assertion of assertions) {
    if (assertion === 'start' ? at > 0 : assertion === 'end' && at < text.length) return false
    if (assertion === 'word boundary' && isWordAt(at - 1) === isWordAt(at)) return false
    if (assertion === 'no word boundary' && isWordAt(at - 1) !== isWordAt(at)) return false
  }
  return true
}
