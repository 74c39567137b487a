import { isAlphanumeric, isCapital, isDigit } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import type { Stretch } from '../../engine/stretch.ts'

/** A word or a number near a street word. */
export interface Piece extends Stretch {
  kind: 'number' | 'code' | 'capital' | 'small' | 'caseless'
  word: string
  /** True if a comma or the end of a line precedes it. */
  isParted: boolean
}

/** The number of characters that are read on either side of a street word. */
export const REACH = 64
const MOST_PIECES = 8
/** Enough for a number, a few words, and the joints between the number and others. */
const MOST_WORDS_BEFORE = 8
/** `221B`, `12-14`, `4/2`, `5th`, a word, an abbreviation. */
const PIECE =
  /\d{1,5}(?:st|nd|rd|th|er|º|ª|-[яй])?[\p{L}]?(?:[-/]\d{1,4}\p{L}?){0,2}(?![\p{L}\p{N}])|\p{Lu}[\p{L}\p{M}]*(?:['.-]\p{L}[\p{L}\p{M}]*)*|\p{Ll}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*|nº|n°|№|#|[\p{Lo}\p{M}]+(?:[.'-][\p{Lo}\p{M}]+)*/uy
const GAP = /\.?[ºª°:]?(?:[^\S\n]{0,2}[,،][^\S\n]{0,2}|[^\S\n]{1,2})?/y

/** Tells whether there is a digit between two places. */
export function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) return true
  return false
}

/** Returns the pieces after a place, on the same line. */
export function readBehind(text: string, end: number): Piece[] {
  const pieces: Piece[] = []
  let at = end
  while (pieces.length < MOST_PIECES && at - end < REACH) {
    const from = step(GAP, text, at)
    if (from === at) break
    const isParted = /[,،]/.test(text.slice(at, from))
    const piece = readPiece(text, from, isParted)
    if (!piece) break
    pieces.push(piece)
    at = piece.end
  }
  return pieces
}

/** Returns the pieces directly before a place, on the same line. */
export function readBefore(text: string, start: number): Piece[] {
  let at = wordsBefore(text, start)
  let pieces: Piece[] = []
  let isParted = true
  if (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1)))
    while (at < start && /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))) at++
  while (at < start) {
    const piece = readPiece(text, at, isParted)
    if (!piece || piece.end > start) {
      if (!/[\s]/.test(text.charAt(at))) pieces = []
      isParted = true
      at++
      continue
    }
    pieces.push(piece)
    at = step(GAP, text, piece.end)
    const gap = text.slice(piece.end, at)
    isParted = /[,،]/.test(gap) || at === piece.end || (piece.kind === 'number' && gap === '. ')
  }
  return start - (pieces.at(-1)?.end ?? 0) <= 3 ? pieces : []
}

/**
 * Returns the start of the words that may belong to the street before a place: those on the same line, within reach.
 */
export function wordsBefore(text: string, start: number): number {
  const near = Math.max(0, start - REACH)
  let words = 0
  for (let at = start; at > near; at--) {
    const code = text.charCodeAt(at - 1)
    if (code === 10) return at
    if (code === 32 && ++words > MOST_WORDS_BEFORE) return at
  }
  return near
}

function readPiece(text: string, at: number, isParted: boolean): Piece | undefined {
  PIECE.lastIndex = at
  if (!PIECE.test(text)) return
  const end = PIECE.lastIndex
  const word = text.slice(at, end)
  const kind = kindOf(text.charCodeAt(at))
  return {
    start: at,
    end,
    kind: kind === 'number' && isOfCode(text, at, end, word) ? 'code' : kind,
    word,
    isParted,
  }
}

/** Tells whether a number is a date, or part of a longer code or number. */
function isOfCode(text: string, start: number, end: number, word: string): boolean {
  const before = text.charCodeAt(start - 1)
  if (isAlphanumeric(before) || DATE.test(word)) return true
  if (/[.,:-]/.test(text.charAt(start - 1)) && isDigit(text.charCodeAt(start - 2))) return true
  return /[.,]/.test(text.charAt(end)) && isDigit(text.charCodeAt(end + 1))
}

const DATE = /^\d{1,4}[-/]\d{1,2}[-/]\d{2,4}$/

/** Returns the kind of a piece that begins with this character. */
function kindOf(code: number): Piece['kind'] {
  if (isDigit(code)) return 'number'
  if (isCapital(code)) return 'capital'
  return (code >= 97 && code <= 122) || CASELESS.test(String.fromCharCode(code)) === false
    ? 'small'
    : 'caseless'
}

const CASELESS = /[\p{Lo}\p{M}]/u

/** Returns the end of a word without its full stop. */
export function trimmed(text: string, end: number): number {
  return text.charCodeAt(end - 1) === 46 ? end - 1 : end
}
