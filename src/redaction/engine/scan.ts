import {
  AT,
  BRACKET,
  CLASS,
  COLON,
  DIGIT,
  EQUALS,
  isAlphanumeric,
  isDigit,
  LETTER,
  MARK,
  SIGN,
  UNSPACED,
} from './characters.ts'
import type { Phrases } from './phrases.ts'
import { placeholderEnd } from './placeholder.ts'
import { Places } from './places.ts'
import type { Stretch } from './stretch.ts'
import { Tokens } from './tokens.ts'

/**
 * All places in a text from which a recognizer may start, in the order of the text. Valid until the next text is
 * scanned.
 */
export class Anchors {
  /** Runs of letters and digits that contain a digit. */
  readonly tokens = new Tokens()
  readonly ats = new Places()
  readonly colons = new Places()
  /** The colons and equals signs. */
  readonly pairSigns = new Places()
  /** The start and the end of the placeholders, which no finding may touch. */
  readonly placeholders = new Places()
  /** The start and the end of the phrases of each kind. */
  readonly phrases: readonly Places[]
  /** True if the text has any anchor at all. */
  any = false

  /** @param kinds the number of kinds of phrases */
  constructor(kinds: number) {
    this.phrases = Array.from({ length: kinds }, () => new Places())
  }

  clear(): void {
    for (const places of [this.tokens, this.ats, this.colons, this.pairSigns, this.placeholders])
      places.clear()
    for (const places of this.phrases) places.clear()
    this.any = false
  }
}

/**
 * Reads the text once and records its anchors.
 * @param anchors cleared first
 * @param stretches the only stretches in which anchors are looked for, disjoint and in order
 */
export function scan(
  text: string,
  phrases: Phrases,
  anchors: Anchors,
  stretches: readonly Stretch[] = [{ start: 0, end: text.length }],
): void {
  anchors.clear()
  const { tokens, ats, colons, pairSigns, placeholders } = anchors
  const found = (kind: number, start: number, end: number): void => {
    const places = anchors.phrases[kind] as Places
    places.add(start)
    places.add(end)
    anchors.any = true
  }
  let at = 0
  for (const { start, end } of stretches) {
    at = Math.max(at, start)
    // A stretch may begin within a word. The rest of that word is skipped.
    while (at > 0 && at < end && areLetters(text, at - 1)) at++
    while (at < end) {
      switch (CLASS[text.charCodeAt(at)]) {
        case LETTER:
          phrases.match(text, at, found)
          at = readWord(text, at, tokens)
          break
        case DIGIT:
          // As in `2fa code`.
          if (CLASS[text.charCodeAt(at + 1)] === LETTER) phrases.match(text, at, found)
          at = readWord(text, at, tokens)
          break
        case UNSPACED:
        case SIGN:
          phrases.match(text, at++, found)
          break
        case AT:
          ats.add(at++)
          break
        case COLON:
          colons.add(at)
          pairSigns.add(at++)
          break
        case EQUALS:
          pairSigns.add(at++)
          break
        case BRACKET: {
          const end = placeholderEnd(text, at)
          if (end > 0) {
            placeholders.add(at)
            placeholders.add(end)
          }
          at = end > 0 ? end : at + 1
          break
        }
        default:
          at++
      }
    }
  }
  anchors.any ||= tokens.count + ats.length + pairSigns.length > 0
}

/** Tells whether the code unit at a place and the next one are letters of one word. */
function areLetters(text: string, at: number): boolean {
  return CLASS[text.charCodeAt(at)] === LETTER && CLASS[text.charCodeAt(at + 1)] === LETTER
}

/** Reads letters, marks and digits to the end of the word, and records each ASCII run that contains a digit. */
function readWord(text: string, start: number, tokens: Tokens): number {
  // Most words consist only of letters.
  for (let at = start; at < text.length; at++) {
    const kind = CLASS[text.charCodeAt(at)]
    if (kind === LETTER) continue
    return kind === DIGIT || kind === MARK ? readMixed(text, start, tokens) : at
  }
  return text.length
}

function readMixed(text: string, start: number, tokens: Tokens): number {
  let at = start
  let from = -1
  let firstDigit = -1
  let digits = 0
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isAlphanumeric(code)) {
      if (from < 0) from = at
      if (!isDigit(code)) continue
      if (digits++ === 0) firstDigit = at
      continue
    }
    const kind = CLASS[code]
    if (kind !== LETTER && kind !== MARK) break
    if (digits > 0) tokens.add(from, at, firstDigit - from, at - from - digits)
    from = -1
    digits = 0
  }
  if (digits > 0) tokens.add(from, at, firstDigit - from, at - from - digits)
  return at
}
