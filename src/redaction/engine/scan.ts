import {
  AT,
  BRACKET,
  CLASS,
  COLON,
  DIGIT,
  isAlphanumeric,
  isDigit,
  LETTER,
  MARK,
  PLUS,
  SIGN,
  UNSPACED,
} from './characters.ts'
import type { Phrases } from './phrases.ts'
import { placeholderEnd } from './placeholder.ts'
import type { Places } from './places.ts'
import { Tokens } from './tokens.ts'

/** Everything in a text that a recognizer may start from, in the order of the text. */
export interface Anchors {
  /** Runs of letters and digits; they are there until the next text is scanned. */
  tokens: Tokens
  /** Positions of `@`. */
  ats: number[]
  /** Positions of `:` between characters that an address or a clock may hold. */
  colons: number[]
  /** Start and end of placeholders, which nothing may touch. */
  placeholders: number[]
  /** For each kind of phrase, where it stands; there until the next text is scanned. */
  phrases: readonly Places[]
  /** Whether there is anything at all to start from. */
  any: boolean
}

/**
 * Reads the text once and notes its anchors.
 * @param places takes the phrases of each kind
 */
export function scan(
  text: string,
  phrases: Phrases,
  places: readonly Places[],
  tokens = new Tokens(),
): Anchors {
  tokens.clear()
  for (const one of places) one.clear()
  const anchors: Anchors = { tokens, ats: [], colons: [], placeholders: [], phrases: places, any: false }
  const found = (kind: number, start: number, end: number): void => {
    ;(places[kind] as Places).add(start, end)
    anchors.any = true
  }
  const { ats, colons, placeholders } = anchors
  const length = text.length
  let at = 0
  while (at < length) {
    switch (CLASS[text.charCodeAt(at)]) {
      case LETTER:
        phrases.match(text, at, found)
        at = readWord(text, at, tokens)
        break
      case DIGIT:
        at = readWord(text, at, tokens)
        break
      case UNSPACED:
      case SIGN:
        phrases.match(text, at++, found)
        break
      case AT:
        ats.push(at++)
        break
      case COLON:
        colons.push(at++)
        break
      case BRACKET: {
        const end = placeholderEnd(text, at)
        if (end > 0) placeholders.push(at, end)
        at = end > 0 ? end : at + 1
        break
      }
      case PLUS:
        at++
        break
      default:
        at++
    }
  }
  anchors.any ||= tokens.count + ats.length + colons.length > 0
  return anchors
}

/** Reads letters, marks and digits to the end of the word, noting each run of ASCII with a digit in it. */
function readWord(text: string, start: number, tokens: Tokens): number {
  // Most words are letters alone.
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
