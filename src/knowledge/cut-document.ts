import type { Block } from './markdown.ts'
import { slugger } from './slug.ts'

/** A part of a document that can answer by itself. */
export interface CutPassage {
  /** Headings above it, outermost first. */
  path: string[]
  /** Fragment that leads to its heading; empty before the first one. */
  anchor: string
  /** Paragraphs parted by blank lines; code stands between fences. */
  text: string
}

/** A section longer than this is cut where its blocks end. */
const LONGEST = 1600
/** A single block longer than this is cut itself, at sentences where it has any. */
const LONGEST_BLOCK = 2400

/**
 * Cuts a document at its headings into passages of a size that can be read as an answer. Anchors are the ones
 * GitHub makes, so that a citation leads to the very heading.
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

/** Reads a plain text, whose paragraphs are parted by blank lines. */
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

/** Cuts what no blank line parts: at the last line, sentence or word end that fits, else anywhere. */
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
