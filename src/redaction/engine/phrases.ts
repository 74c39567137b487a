import { CLASS, FOLD, LETTER, MARK, SPACE, UNSPACED } from './characters.ts'
import { compileTrie } from './trie.ts'

/** The longest stretch of text that one phrase may cover, including spaces and marks. */
const REACH = 64

/** Receives each phrase found in the text, with its kind, its start and its end. */
type PhraseFound = (kind: number, start: number, end: number) => void

/**
 * A set of phrases, each with a kind, that one walk from each beginning of a word finds. Case and diacritics do not
 * matter, and one space matches several. A phrase ends at the end of a word, unless it is written with a `*` at its
 * end.
 */
export interface Phrases {
  /** Reports every phrase that begins at `start`; looks at most 64 characters ahead. */
  match(text: string, start: number, found: PhraseFound): void
}

/** The kinds of phrases with the same spelling: those that must end with a word, and those that may end within one. */
interface Kinds {
  whole: number[]
  stem: number[]
}

/** The symbol of a mark that is dropped. */
const DROPPED = 0xffff
const SPACE_SYMBOL = 1

/** Compiles phrases, listed by kind, into flat tables. */
export function compilePhrases(byKind: readonly (readonly string[])[]): Phrases {
  const spellings = new Map<string, Kinds>()
  byKind.forEach((phrases, kind) => {
    for (const phrase of phrases) add(spellings, phrase, kind)
  })
  const { symbols, count } = compileSymbols(spellings.keys())
  const words = Array.from(spellings.keys(), (spelling) =>
    Array.from(spelling, (char) => symbols[char.charCodeAt(0)] as number),
  )
  const nodes = compileNodes(words, count)
  const kinds = [...spellings.values()]

  function match(text: string, start: number, found: PhraseFound): void {
    const limit = Math.min(text.length, start + REACH)
    let node = 0
    for (let at = start; at < limit; ) {
      const symbol = symbols[text.charCodeAt(at)] as number
      if (symbol === 0) return
      if (symbol !== DROPPED) {
        const next = (nodes[node * NODE] as number) + symbol
        if (nodes[next * NODE + 1] !== node) return
        node = next
      }
      at++
      if (symbol === SPACE_SYMBOL) {
        while (at < limit && symbols[text.charCodeAt(at)] === SPACE_SYMBOL) at++
        continue
      }
      const ending = nodes[node * NODE + 2] as number
      if (ending === 0) continue
      const { stem, whole } = kinds[ending - 1] as Kinds
      for (const kind of stem) found(kind, start, at)
      if (whole.length > 0 && endsWord(text, at)) for (const kind of whole) found(kind, start, at)
    }
  }

  return { match }
}

/** The numbers of a node: base, parent and word, side by side and small, so that most nodes are in the cache. */
const NODE = 4

/** Returns the tree with one node after the other. A node is called by the place of its numbers divided by NODE. */
function compileNodes(words: readonly (readonly number[])[], symbols: number): Uint16Array {
  const { base, parent, word } = compileTrie(words, symbols)
  const count = parent.findLastIndex((node) => node >= 0) + symbols + 1
  if (count > 0xffff) throw new Error('There are more phrases than 16 bits can tell apart.')
  const nodes = new Uint16Array(count * NODE)
  for (let node = 0; node < count; node++) {
    nodes[node * NODE] = base[node] ?? 0
    nodes[node * NODE + 1] = parent[node] ?? -1
    nodes[node * NODE + 2] = word[node] ?? 0
  }
  return nodes
}

function endsWord(text: string, at: number): boolean {
  if (at >= text.length) return true
  const before = CLASS[text.charCodeAt(at - 1)]
  if (before !== LETTER && before !== MARK) return true
  const after = CLASS[text.charCodeAt(at)]
  return after !== LETTER && after !== MARK
}

function add(spellings: Map<string, Kinds>, phrase: string, kind: number): void {
  const isStem = phrase.endsWith('*')
  let spelling = ''
  for (const char of isStem ? phrase.slice(0, -1) : phrase) {
    const code = FOLD[char.charCodeAt(0)] as number
    if (code !== 0) spelling += String.fromCharCode(code)
  }
  let kinds = spellings.get(spelling)
  if (!kinds) {
    kinds = { whole: [], stem: [] }
    spellings.set(spelling, kinds)
  }
  const list = isStem || CLASS[phrase.charCodeAt(phrase.length - 1)] === UNSPACED ? kinds.stem : kinds.whole
  if (!list.includes(kind)) list.push(kind)
}

/**
 * Assigns a symbol to each code unit: the same for all that compare as equal, 0 for characters that no phrase contains.
 */
function compileSymbols(spellings: Iterable<string>): { symbols: Uint16Array; count: number } {
  const ofFolded = new Uint16Array(0x10000)
  let count = SPACE_SYMBOL
  for (const spelling of spellings) {
    for (let at = 0; at < spelling.length; at++) {
      const code = spelling.charCodeAt(at)
      if (code !== 32 && ofFolded[code] === 0) ofFolded[code] = ++count
    }
  }
  const symbols = new Uint16Array(0x10000)
  for (let code = 0; code < 0x10000; code++) {
    const folded = FOLD[code] as number
    if (CLASS[code] === SPACE) symbols[code] = SPACE_SYMBOL
    else symbols[code] = folded === 0 ? DROPPED : (ofFolded[folded] as number)
  }
  return { symbols, count }
}
