import type { Block, TableParts } from './block.ts'
import { withLineFeeds } from './line-feeds.ts'
import { slugger } from './slug.ts'

/** A part of a document that can answer a question by itself. */
export interface CutPassage {
  /** Headings above it, outermost first. */
  path: string[]
  /** The fragment that links to its heading; empty before the first heading. */
  anchor: string
  /** Paragraphs, separated by blank lines; code stands between fences. */
  text: string
  /** Other ways to ask for it. */
  questions?: readonly string[]
}

/** A piece of a section. */
interface Piece {
  text: string
  /** The line above a table, repeated above the piece when a passage begins with it. */
  above?: string
}

/** A heading, or the name of a part, above the present text. */
interface Place {
  /** The level of the heading; of a part, that of the heading above it, so that a heading of this level ends the part. */
  level: number
  text: string
  anchor: string
  questions?: readonly string[]
  isPart: boolean
}

/** The maximum length of a section in characters. A longer one is cut between its blocks. */
const LONGEST = 1600
/** The maximum length of a block in characters. A longer one is cut itself, between sentences where it has any. */
const LONGEST_BLOCK = 2400

/**
 * Cuts a document at its headings and parts into passages short enough to be read as an answer. Where the document gives
 * a heading no anchor, one is made as GitHub makes it, so that a citation links to the right heading.
 */
export function cutBlocks(blocks: Iterable<Block>): CutPassage[] {
  const slug = slugger()
  const passages: CutPassage[] = []
  const path: Place[] = []
  let texts: Piece[] = []

  const endSection = () => {
    const { anchor = '', questions } = path.at(-1) ?? {}
    const about = { path: path.map(({ text }) => text), anchor, ...(questions ? { questions } : {}) }
    for (const text of inPassages(texts)) passages.push({ ...about, text })
    texts = []
  }
  for (const block of blocks) {
    if (block.kind === 'text' || block.kind === 'code') {
      for (const piece of cutText(block, texts.at(-1)?.text ?? '')) texts.push(piece)
      continue
    }
    endSection()
    if (block.kind === 'heading') {
      const { level, text, anchor, questions } = block
      while ((path.at(-1)?.level ?? 0) >= level) path.pop()
      const about = { anchor: anchor ?? slug(text), ...(questions ? { questions } : {}) }
      path.push({ level, text, ...about, isPart: false })
    } else if (block.kind === 'part') {
      const { level = 0, anchor = '' } = path.at(-1) ?? {}
      path.push({ level, text: block.text, anchor: block.anchor ?? anchor, isPart: true })
    } else {
      const part = path.findLastIndex(({ isPart }) => isPart)
      if (part >= 0) path.length = part
    }
  }
  endSection()
  return passages
}

/** Reads a plain text whose paragraphs are separated by blank lines. */
export function readText(source: string): Block[] {
  return withLineFeeds(source)
    .split(/\n[ \t]*\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', text }))
}

const asPiece = (text: string): Piece => ({ text })

/** The maximum length of what leads to the piece below it. A longer one is a paragraph of its own. */
const LONGEST_LEAD = 300

function inPassages(pieces: readonly Piece[]): string[] {
  const passages: string[] = []
  let passage: string[] = []
  for (const { text, above } of pieces) {
    const leads = countLeads(passage)
    const isFull = joinedLength([...passage, text]) > LONGEST
    if (isFull && leads < passage.length) {
      const kept = passage.length - leads
      passages.push(passage.slice(0, kept).join('\n\n'))
      passage = leads > 0 ? passage.slice(kept) : above ? [above] : []
    }
    passage.push(text)
  }
  if (passage.length > 0) passages.push(passage.join('\n\n'))
  return passages
}

/** Counts the pieces at the end that belong to what follows: questions, and lines that end in a colon. */
function countLeads(pieces: readonly string[]): number {
  let leads = 0
  let length = 0
  for (const piece of pieces.toReversed()) {
    length += piece.length
    if (length > LONGEST_LEAD || !/[?？:：]$/.test(piece)) break
    leads++
  }
  return leads
}

function joinedLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 2, -2)
}

function cutText(block: Extract<Block, { text: string; kind: 'text' | 'code' }>, before: string): Piece[] {
  if (block.kind === 'code') return cutCode(block.text).map(asPiece)
  return block.table ? cutTable(block.table, before) : inPieces(block.text).map(asPiece)
}

/** Cuts code between its lines. Each piece stands between fences of its own. */
function cutCode(text: string): string[] {
  if (text.length <= LONGEST_BLOCK) return [text]
  const [fence = '', ...lines] = text.split('\n')
  const end = lines.pop() ?? fence
  return inPieces(lines.join('\n'), withoutBlankEnds).map((code) => [fence, code, end].join('\n'))
}

/** Takes off blank lines at the ends. The indentation of code stays. */
function withoutBlankEnds(code: string): string {
  return code.trimEnd().replace(/^(?:[ \t]*\n)+/, '')
}

/**
 * Cuts a table between its rows. Each part begins with the names of the columns, and with the line above the table when
 * a passage begins with it.
 */
function cutTable({ lead, head, rows }: TableParts, before: string): Piece[] {
  const last = (lead || before).split('\n').at(-1) ?? ''
  const above = last.length <= LONGEST_LEAD && !last.startsWith('```') ? last : ''
  const first = lead === '' ? [] : [lead]
  const columns = head === '' ? [] : [head]
  const whole = [...first, ...columns, ...rows].join('\n')
  if (whole.length <= LONGEST_BLOCK)
    return lead === '' ? [{ text: whole, above }] : inPieces(whole).map(asPiece)
  const pieces: Piece[] = []
  let part: string[] = []
  let length = 0
  const endPart = () => {
    if (part.length === 0) return
    const lines = [...(pieces.length === 0 ? first : []), ...columns, ...part]
    pieces.push({ text: lines.join('\n'), above })
    part = []
    length = 0
  }
  for (const row of rows.flatMap((row) => inPieces(row))) {
    if (length + row.length > LONGEST - head.length - above.length) endPart()
    part.push(row)
    length += row.length + 1
  }
  endPart()
  return pieces
}

/** Cuts a text without blank lines: at the last end of a line, sentence or word that fits, otherwise anywhere. */
function inPieces(text: string, trim = (piece: string) => piece.trim()): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > LONGEST_BLOCK) {
    const head = rest.slice(0, LONGEST)
    const at = endOf(head, /\n/g) ?? endOf(head, /[.!?]\s|[。！？]/g) ?? endOf(head, / /g) ?? LONGEST
    pieces.push(trim(rest.slice(0, at)))
    rest = rest.slice(at)
  }
  pieces.push(trim(rest))
  return pieces.filter((piece) => piece !== '')
}

function endOf(text: string, parting: RegExp): number | null {
  const last = [...text.matchAll(parting)].at(-1)
  return last ? last.index + last[0].length : null
}
