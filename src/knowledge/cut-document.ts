import type { Block } from './markdown.ts'
import { slugger } from './slug.ts'

/** A part of a document that can answer a question by itself. */
export interface CutPassage {
  /** Headings above it, outermost first. */
  path: string[]
  /** The fragment that links to its heading; empty before the first heading. */
  anchor: string
  /** Paragraphs, separated by blank lines; code stands between fences. */
  text: string
}

/** A longer section is cut between its blocks. */
const LONGEST = 1600
/** A longer block is cut itself, between sentences where it has any. */
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
  let texts: string[] = []

  const endSection = () => {
    for (const text of inPassages(texts)) passages.push({ path: path.map(({ text }) => text), anchor, text })
    texts = []
  }
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      texts.push(block.text)
      continue
    }
    endSection()
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop()
    path.push({ level: block.level, text: block.text })
    anchor = slug(block.text)
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

function inPassages(texts: string[]): string[] {
  const passages: string[] = []
  let passage = ''
  for (const text of texts.flatMap(inPieces)) {
    const joined = passage === '' ? text : `${passage}\n\n${text}`
    if (joined.length <= LONGEST || passage === '') passage = joined
    else {
      passages.push(passage)
      passage = text
    }
  }
  if (passage !== '') passages.push(passage)
  return passages
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
