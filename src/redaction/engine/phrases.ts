import { CLASS, FOLD, LETTER, MARK, SPACE, UNSPACED } from './characters.ts'

/** The longest stretch of text that one phrase may cover, spaces and marks included. */
const REACH = 64

/** Receives a phrase found in the text: its kind, where it begins and where it ends. */
export type PhraseFound = (kind: number, start: number, end: number) => void

/**
 * A set of phrases, each with a kind, found by one walk from each beginning of a word. Case and diacritics do not
 * count; a space stands for a few; a phrase ends where a word ends unless it is written with a `*` at its end.
 */
export interface Phrases {
  /** Reports every phrase that begins at `start`; looks at most 64 characters ahead. */
  match(text: string, start: number, found: PhraseFound): void
}

interface Node {
  next: Map<number, Node>
  whole: number[]
  stem: number[]
  id: number
}

/** Compiles phrases, given by kind, into flat tables. */
export function compilePhrases(byKind: readonly (readonly string[])[]): Phrases {
  const nodes: Node[] = []
  const root = addNode(nodes)
  byKind.forEach((phrases, kind) => {
    for (const phrase of phrases) insert(nodes, root, phrase, kind)
  })
  const table = flatten(nodes)
  const first = new Int32Array(0x10000)
  for (const [code, node] of root.next) first[code] = node.id
  const whole = nodes.map((node) => (node.whole.length > 0 ? node.whole : null))
  const stem = nodes.map((node) => (node.stem.length > 0 ? node.stem : null))

  function match(text: string, start: number, found: PhraseFound): void {
    let node = first[FOLD[text.charCodeAt(start)] as number] as number
    if (node === 0) return
    const limit = Math.min(text.length, start + REACH)
    let at = start + 1
    while (node !== 0) {
      const stems = stem[node]
      if (stems) for (const kind of stems) found(kind, start, at)
      const wholes = whole[node]
      if (wholes && endsWord(text, at)) for (const kind of wholes) found(kind, start, at)
      if (at >= limit) return
      const code = text.charCodeAt(at)
      if (CLASS[code] === SPACE) {
        node = table.next(node, 32)
        at++
        while (node !== 0 && at < limit && CLASS[text.charCodeAt(at)] === SPACE) at++
        continue
      }
      const plain = FOLD[code] as number
      at++
      if (plain !== 0) node = table.next(node, plain)
    }
  }

  return { match }
}

function endsWord(text: string, at: number): boolean {
  if (at >= text.length) return true
  const before = CLASS[text.charCodeAt(at - 1)]
  if (before !== LETTER && before !== MARK) return true
  const after = CLASS[text.charCodeAt(at)]
  return after !== LETTER && after !== MARK
}

function addNode(nodes: Node[]): Node {
  const node: Node = { next: new Map(), whole: [], stem: [], id: nodes.length }
  nodes.push(node)
  return node
}

function insert(nodes: Node[], root: Node, phrase: string, kind: number): void {
  const isStem = phrase.endsWith('*')
  let node = root
  for (const char of isStem ? phrase.slice(0, -1) : phrase) {
    const code = FOLD[char.charCodeAt(0)] as number
    if (code === 0) continue
    let next = node.next.get(code)
    if (!next) {
      next = addNode(nodes)
      node.next.set(code, next)
    }
    node = next
  }
  const kinds = isStem || CLASS[phrase.charCodeAt(phrase.length - 1)] === UNSPACED ? node.stem : node.whole
  if (!kinds.includes(kind)) kinds.push(kind)
}

/** The transitions in an open-addressed table: a slot holds node and character, and the next node. */
function flatten(nodes: Node[]): { next(node: number, code: number): number } {
  let edges = 0
  for (const node of nodes) edges += node.next.size
  const bits = Math.max(4, Math.ceil(Math.log2(edges * 2 + 1)))
  const mask = (1 << bits) - 1
  const from = new Int32Array(1 << bits)
  const codes = new Uint16Array(1 << bits)
  const to = new Int32Array(1 << bits)
  const slotOf = (node: number, code: number): number =>
    Math.imul(node * 31 + code, 0x9e3779b1) >>> (32 - bits)
  for (const node of nodes) {
    for (const [code, next] of node.next) {
      let slot = slotOf(node.id, code)
      while (to[slot] !== 0) slot = (slot + 1) & mask
      from[slot] = node.id
      codes[slot] = code
      to[slot] = next.id
    }
  }
  return {
    next(node, code) {
      let slot = slotOf(node, code)
      while (to[slot] !== 0) {
        if (from[slot] === node && codes[slot] === code) return to[slot] as number
        slot = (slot + 1) & mask
      }
      return 0
    },
  }
}
