import type { Block, TableParts } from './markdown.ts'
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

/** The maximum length of a section in characters. A longer one is cut between its blocks. */
const LONGEST = 1600
/** The maximum length of a block in characters. A longer one is cut itself, between sentences where it has any. */
const LONGEST_BLOCK = 2400

/**
 * Cuts a document at its headings into passages short enough to be read as an answer. Anchors are made as GitHub makes
 * them, so that a citation links to the right heading.
 */
export function cutBlocks(blocks: Iterable<Block>): CutPassage[] {
  const slug = slugger()
  const passages: CutPassage[] = []
  const path: { level: number; text: string }[] = []
  let anchor = ''
  let questions: readonly string[] | undefined
  let texts: Piece[] = []

  const endSection = () => {
    const about = { path: path.map(({ text }) => text), anchor, ...(questions ? { questions } : {}) }
    for (const text of inPassages(texts)) passages.push({ ...about, text })
    texts = []
  }
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      const { table = null } = block.kind === 'text' ? block : {}
      for (const piece of table
        ? cutTable(table, texts.at(-1)?.text ?? '')
        : inPieces(block.text).map(asPiece))
        texts.push(piece)
      continue
    }
    endSection()
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop()
    path.push({ level: block.level, text: block.text })
    anchor = slug(block.text)
    questions = block.questions
  }
  endSection()
  return passages
}

/** Reads a plain text whose paragraphs are separated by blank lines. */
export function readText(source: string): Block[] {
  return source
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', text }))
}

const asPiece = (text: string): Piece => ({ text })

function inPassages(pieces: readonly Piece[]): string[] {
  const passages: string[] = []
  let passage = ''
  for (const { text, above } of pieces) {
    const joined = passage === '' ? text : `${passage}\n\n${text}`
    if (joined.length <= LONGEST || passage === '') passage = joined
    else {
      passages.push(passage)
      passage = above ? `${above}\n\n${text}` : text
    }
  }
  if (passage !== '') passages.push(passage)
  return passages
}

/** The maximum length of a line above a table. A longer one is a paragraph of its own. */
const LONGEST_LEAD = 300

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
  for (const row of rows.flatMap(inPieces)) {
    if (length + row.length > LONGEST - head.length - above.length) endPart()
    part.push(row)
    length += row.length + 1
  }
  endPart()
  return pieces
}

/** Cuts a text without blank lines: at the last end of a line, sentence or word that fits, otherwise anywhere. */
function inPieces(text: string): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > LONGEST_BLOCK) {
    const head = rest.slice(0, LONGEST)
    const at = endOf(head, /\n/g) ?? endOf(head, /[.!?]\s|[。！？]/g) ?? endOf(head, / /g) ?? LONGEST
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at)
  }
  pieces.push(rest.trim())
  return pieces.filter((piece) => piece !== '')
}

function endOf(text: string, parting: RegExp): number | null {
  const last = [...text.matchAll(parting)].at(-1)
  return last ? last.index + last[0].length : null
}
