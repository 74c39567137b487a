import { type CharacterSet, isAsciiWord } from './character-set.ts'
import type { Assertion, Branch, Node } from './parse-pattern.ts'

export interface Automaton {
  /** Reports stretches of a text that matches cover; matches that overlap are one stretch. */
  find(text: string, found: (start: number, end: number) => void): void
  /** Tells whether a match stands in a text. Needs no memory, and half the time of `find`. */
  test(text: string): boolean
  /** True if a match may begin in a text and continue into, or depend on, the text that follows. */
  isOpen(text: string): boolean
  /** The microseconds that a character takes at most, roughly: 0.1 for up to 32 places, 4 for 512. */
  cost: number
}

/**
 * The most characters that an alternative may name, repeats counted. The time per character of a text, and the memory
 * of `find`, grow with them.
 */
const MOST_PLACES = 128
/**
 * The most automata for one pattern of `MOST_PLACES` each, which each read the whole text. A pattern without repeats
 * never needs more. One with four times the places takes the time of sixteen.
 */
const MOST_AUTOMATA = 16
const CHUNK = 8

/** Glushkov's automaton: a state for each place in the pattern that consumes a character. */
interface Places {
  sets: CharacterSet[]
  /** The places that may follow each place, a bit each. */
  follow: bigint[]
  most: number
}

interface Part {
  first: bigint
  last: bigint
  isNullable: boolean
}

/**
 * Compiles the alternatives of a pattern. Those with the same assertions at both ends are compiled together.
 * @param isWord the characters between which `\b` sees no boundary
 * @param most the most places of an alternative
 * @throws Error if the pattern is too large
 */
export function compileAutomata(
  branches: readonly Branch[],
  isWord: CharacterSet = isAsciiWord,
  most: number = MOST_PLACES,
): Automaton[] {
  const joined = joinBranches(branches)
  const cost = joined.reduce((sum, { node }) => sum + Math.max(countPlaces(node) / MOST_PLACES, 1) ** 2, 0)
  if (cost > MOST_AUTOMATA) throw new Error('the pattern names too many characters, repeats counted')
  return joined.map((branch) => compileBranch(branch, isWord, most))
}

/** Puts alternatives with the same assertions into one, as long as it stays small enough. */
function joinBranches(branches: readonly Branch[]): Branch[] {
  const joined: { nodes: Node[]; places: number; branch: Branch; ends: string }[] = []
  for (const branch of branches) {
    const ends = JSON.stringify([[...new Set(branch.before)].sort(), [...new Set(branch.behind)].sort()])
    const places = countPlaces(branch.node)
    const fitting = joined.find((other) => other.ends === ends && other.places + places <= MOST_PLACES)
    if (fitting) {
      fitting.nodes.push(branch.node)
      fitting.places += places
    } else joined.push({ nodes: [branch.node], places, branch, ends })
  }
  return joined.map(({ nodes, branch }) => ({ ...branch, node: { kind: 'choice', nodes } }))
}

function countPlaces(node: Node): number {
  if (node.kind === 'set') return 1
  if (node.kind === 'repeat') return copiesOf(node) * countPlaces(node.node)
  return node.nodes.reduce((sum, inner) => sum + countPlaces(inner), 0)
}

/**
 * Compiles an alternative. All states advance at once as bits, with tables for eight states each: every character costs
 * the same, whatever the pattern and the text. A run backward marks the places from which a match can still be
 * completed. A run forward keeps only those, which shows the characters that are inside a match.
 */
function compileBranch({ node, before, behind }: Branch, isWord: CharacterSet, most: number): Automaton {
  const places: Places = { sets: [], follow: [], most }
  const whole = build(node, places)
  const words = Math.ceil(places.sets.length / 32)
  const first = bitsOf(whole.first, words)
  const last = bitsOf(whole.last, words)
  const follow = places.follow.map((nexts) => bitsOf(nexts, words))
  const forward = stepTables(follow, words)
  const backward = stepTables(reverse(follow, words), words)
  const masks = characterMasks(places.sets, words)

  /** Returns, for each character, the places that may take it in a match that is completed behind it. */
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

  /** Reads a text, or up to the end of its first match, and returns the places at which matches under way then are. */
  function readForward(text: string, untilMatch: boolean): { state: Int32Array; isFound: boolean } {
    const state = new Int32Array(words)
    const next = new Int32Array(words)
    for (let at = 0; at < text.length; at++) {
      step(forward, state, 0, next, words)
      const mask = masks(text.charCodeAt(at))
      const mayBegin = holds(before, text, at, isWord)
      for (let word = 0; word < words; word++)
        state[word] =
          ((next[word] as number) | (mayBegin ? (first[word] as number) : 0)) & (mask[word] as number)
      if (untilMatch && isLast(state) && holds(behind, text, at + 1, isWord)) return { state, isFound: true }
    }
    return { state, isFound: false }
  }

  function isLast(state: Int32Array): boolean {
    let ended = 0
    for (let word = 0; word < words; word++) ended |= (state[word] as number) & (last[word] as number)
    return ended !== 0
  }

  function isOpen(text: string): boolean {
    const { state } = readForward(text, false)
    const next = new Int32Array(words)
    step(forward, state, 0, next, words)
    return next.some((bits) => bits !== 0) || (behind.length > 0 && isLast(state))
  }

  function test(text: string): boolean {
    if (whole.isNullable)
      for (let at = 0; at <= text.length; at++)
        if (holds(before, text, at, isWord) && holds(behind, text, at, isWord)) return true
    return readForward(text, true).isFound
  }

  function find(text: string, found: (start: number, end: number) => void): void {
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

  return { find, test, isOpen, cost: 0.1 + words ** 2 / 64 }
}

function build(node: Node, places: Places): Part {
  switch (node.kind) {
    case 'set': {
      if (places.sets.length >= places.most) {
        throw new Error(`the pattern names more than ${places.most} characters, repeats counted`)
      }
      const place = 1n << BigInt(places.sets.push(node.set) - 1)
      places.follow.push(0n)
      return { first: place, last: place, isNullable: false }
    }
    case 'sequence':
      return node.nodes.map((inner) => build(inner, places)).reduce((a, b) => join(a, b, places), EMPTY)
    case 'choice':
      return node.nodes.map((inner) => build(inner, places)).reduce(either)
    case 'repeat':
      return buildRepeat(node, places)
  }
}

const EMPTY: Part = { first: 0n, last: 0n, isNullable: true }

function buildRepeat(node: Node & { kind: 'repeat' }, places: Places): Part {
  let whole = EMPTY
  const copies = countPlaces(node) === 0 ? 0 : copiesOf(node)
  for (let copy = 0; copy < copies; copy++) {
    const part = build(node.node, places)
    if (node.most === Infinity && copy === copies - 1) link(part.last, part.first, places)
    whole = join(whole, copy < node.least ? part : { ...part, isNullable: true }, places)
  }
  return whole
}

function copiesOf({ least, most }: Node & { kind: 'repeat' }): number {
  return most === Infinity ? Math.max(least, 1) : most
}

function join(a: Part, b: Part, places: Places): Part {
  link(a.last, b.first, places)
  return {
    first: a.isNullable ? a.first | b.first : a.first,
    last: b.isNullable ? a.last | b.last : b.last,
    isNullable: a.isNullable && b.isNullable,
  }
}

function either(a: Part, b: Part): Part {
  return { first: a.first | b.first, last: a.last | b.last, isNullable: a.isNullable || b.isNullable }
}

function link(from: bigint, to: bigint, places: Places): void {
  if (from === 0n || to === 0n) return
  const bits = from.toString(2)
  for (let at = bits.indexOf('1'); at >= 0; at = bits.indexOf('1', at + 1)) {
    const place = bits.length - 1 - at
    places.follow[place] = (places.follow[place] as bigint) | to
  }
}

function reverse(follow: readonly Int32Array[], words: number): Int32Array[] {
  const reversed = follow.map(() => new Int32Array(words))
  follow.forEach((nexts, place) => {
    reversed.forEach((before, next) => {
      if (((nexts[next >> 5] as number) >>> (next & 31)) & 1)
        before[place >> 5] = (before[place >> 5] as number) | (1 << (place & 31))
    })
  })
  return reversed
}

function bitsOf(places: bigint, words: number): Int32Array {
  return Int32Array.from({ length: words }, (_, word) =>
    Number(BigInt.asIntN(32, places >> BigInt(word * 32))),
  )
}

/** Makes a table for each eight places: the union of the places that may follow each combination of them. */
function stepTables(follow: readonly Int32Array[], words: number): Int32Array[] {
  const tables: Int32Array[] = []
  for (let base = 0; base < words * 32; base += CHUNK) {
    const table = new Int32Array(256 * words)
    for (let combination = 1; combination < 256; combination++) {
      const lowest = 31 - Math.clz32(combination & -combination)
      const rest = (combination & (combination - 1)) * words
      const own = follow[base + lowest]
      for (let word = 0; word < words; word++) {
        table[combination * words + word] = (table[rest + word] as number) | (own?.[word] ?? 0)
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

/**
 * Returns a lookup of the places that take a character. Each character is tested against every set once, at its first
 * occurrence. Characters that the same places take share a mask.
 */
function characterMasks(sets: readonly CharacterSet[], words: number): (code: number) => Int32Array {
  const distinct = [...Map.groupBy(sets.keys(), (place) => sets[place] as CharacterSet)]
  const masks: Int32Array[] = []
  const known = new Map<string, number>()
  /** The number of each character's mask plus one, in pages of 256; 0 for a character not yet met. */
  const pages: (Uint16Array | undefined)[] = new Array(256).fill(undefined)

  function numberOf(code: number): number {
    const taking: number[] = []
    for (let index = 0; index < distinct.length; index++) if (distinct[index]?.[0](code)) taking.push(index)
    const key = taking.join()
    let number = known.get(key)
    if (number === undefined) {
      const mask = new Int32Array(words)
      for (const index of taking)
        for (const place of distinct[index]?.[1] ?? [])
          mask[place >> 5] = (mask[place >> 5] as number) | (1 << (place & 31))
      number = masks.push(mask)
      known.set(key, number)
    }
    return number
  }

  return (code) => {
    let page = pages[code >> 8]
    if (!page) {
      page = new Uint16Array(256)
      pages[code >> 8] = page
    }
    page[code & 255] ||= numberOf(code)
    return masks[(page[code & 255] as number) - 1] as Int32Array
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
