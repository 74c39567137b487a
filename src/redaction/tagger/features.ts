import { FOLD } from '../engine/characters.ts'
import { CHARACTER, type Sheet, WORD } from './sheet.ts'

/** The number of tokens on each side from which a token is seen. */
export const REACH = 3

const LONGEST_READ = 14

/** Hashes of features, for one token after another in the same memory. */
export class Features {
  readonly hashes = new Int32Array(128)
  count = 0
  /** The features before this place tell what a token looks like; those from here on, which word it is. */
  firstOfWord = 0

  /**
   * Reads the features that a token lends to the token that stands `offset` tokens before it: at 0, to itself, its word
   * with beginnings, endings and pieces; to its neighbours, the word and its form.
   */
  readToken(sheet: Sheet, token: number, offset: number): void {
    const { hashes } = this
    const form = sheet.forms[token] as number
    const place = (offset + REACH + 1) * 0x2f0b
    let count = 0
    hashes[count++] = hash2(place, form)
    const start = sheet.starts[token] as number
    const end = Math.min(sheet.ends[token] as number, start + LONGEST_READ)
    const isWord = sheet.kinds[token] === WORD
    if (isWord && offset === 0) hashes[count++] = hash2(place + 3, (form << 4) | Math.min(end - start, 12))
    this.firstOfWord = count
    hashes[count++] = hash2(place + 1, sheet.words[token] as number)
    if (isWord) {
      const { text } = sheet
      if (offset === 1 || offset === -1) hashes[count++] = pieceHash(text, end - 3, end, start, place + 2)
      if (offset === 0) {
        for (let length = 1; length <= 4 && length < end - start; length++) {
          hashes[count++] = pieceHash(text, end - length, end, start, place + 4)
          if (length > 1) hashes[count++] = pieceHash(text, start, start + length, start, place + 5)
        }
        for (let at = start; at + 3 <= end; at++) {
          hashes[count++] = pieceHash(text, at, at + 3, start, place + 6)
          if (at + 4 <= end) hashes[count++] = pieceHash(text, at, at + 4, start, place + 7)
        }
      }
    }
    this.count = count
  }

  /** Reads the features of a token that several tokens make together, and those of its place in its line. */
  readPlace(sheet: Sheet, token: number, lineStart: number, lineEnd: number, letters: number): void {
    const { hashes } = this
    const { forms, words } = sheet
    const last = sheet.count - 1
    const form = forms[token] as number
    const formBefore = token > 0 ? (forms[token - 1] as number) : 255
    const formTwoBefore = token > 1 ? (forms[token - 2] as number) : 255
    const formBehind = token < last ? (forms[token + 1] as number) : 255
    const formTwoBehind = token + 2 <= last ? (forms[token + 2] as number) : 255
    const before = token > 0 ? (words[token - 1] as number) : 3
    const twoBefore = token > 1 ? (words[token - 2] as number) : 3
    const behind = token < last ? (words[token + 1] as number) : 3
    const twoBehind = token + 2 <= last ? (words[token + 2] as number) : 3
    const fromStart = Math.min(token - lineStart, 3)
    const toEnd = Math.min(lineEnd - 1 - token, 3)
    hashes[0] = hash2(0x51001, (formBefore << 16) | (form << 8) | formBehind)
    hashes[1] = hash2(0x51002, (form << 16) | (formBehind << 8) | formTwoBehind)
    hashes[2] = hash2(0x51003, (formTwoBefore << 16) | (formBefore << 8) | form)
    hashes[3] = hash3(0x51004, before, twoBefore)
    hashes[4] = hash3(0x51005, behind, twoBehind)
    hashes[5] = hash3(0x51006, before, form)
    hashes[6] = hash3(0x51007, behind, form)
    hashes[7] = hash3(0x51008, before, behind)
    hashes[8] = hash2(0x51009, (fromStart << 12) | (toEnd << 10) | (letters << 8) | form)
    let count = 9
    const key = sheet.keys[token] as number
    if (key !== 0) {
      const gap = sheet.keyGaps[token] as number
      hashes[count++] = hash3(0x5100a, key, gap)
      hashes[count++] = hash3(0x5100b, sheet.wholeKeys[token] as number, gap)
    }
    const head = sheet.heads[token] as number
    if (head !== 0) hashes[count++] = hash2(0x5100c, head)
    const foreign = sheet.foreign[token] as number
    if (foreign !== 0) {
      hashes[count++] = hash2(0x51012, foreign)
      hashes[count++] = hash3(0x51013, before, foreign)
      hashes[count++] = hash3(0x51014, behind, foreign)
    }
    this.firstOfWord = count
    if (sheet.kinds[token] === CHARACTER) {
      const word = words[token] as number
      hashes[count++] = hash3(0x5100d, word, behind)
      hashes[count++] = hash3(0x5100e, before, word)
      hashes[count++] = hash3(hash2(0x5100f, before), word, behind)
      hashes[count++] = hash3(hash2(0x51010, twoBefore), before, word)
      hashes[count++] = hash3(hash2(0x51011, word), behind, twoBehind)
    }
    this.count = count
  }
}

/** Mixes a number into the hash of a kind of feature. */
function hash2(kind: number, value: number): number {
  let hash = Math.imul(value ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function hash3(kind: number, a: number, b: number): number {
  return hash2(kind, Math.imul(a, 0x01000193) ^ Math.imul(b ^ (b >>> 15), 0x27d4eb2f))
}

/** Returns the hash of a piece of a word, in folded letters; what begins the word differs from what does not. */
function pieceHash(text: string, from: number, to: number, start: number, kind: number): number {
  let hash = from <= start ? 0x1234567 : 0x7654321
  for (let at = from < start ? start : from; at < to; at++)
    hash = Math.imul(hash ^ (FOLD[text.charCodeAt(at)] as number), 0x01000193)
  return hash2(kind, hash)
}
