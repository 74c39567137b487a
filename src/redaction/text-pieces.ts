import type { Stretch } from './engine/stretch.ts'
import { wordStart } from './stretches.ts'

/**
 * Splits a text into pieces of a length at most, which begin and end between words where they can. Neighbouring pieces
 * overlap, so that anything shorter than the overlap stands whole in one of them.
 */
export function piecesOf(text: string, longest: number, overlap: number): Stretch[] {
  const pieces: Stretch[] = []
  let start = 0
  while (text.length - start > longest) {
    const end = wordStart(text, wholeAt(text, start + longest))
    pieces.push({ start, end })
    start = wordStart(text, wholeAt(text, end - overlap))
  }
  return [...pieces, { start, end: text.length }]
}

/** Returns the place, or the one before it if it would split a character of two code units. */
function wholeAt(text: string, at: number): number {
  return (text.codePointAt(at - 1) as number) > 0xffff ? at - 1 : at
}
