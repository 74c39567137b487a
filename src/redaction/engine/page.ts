import { isDigit, isLetter, isWord, wordEnd } from './characters.ts'
import type { Finding, Strength } from './finding.ts'
import { firstIndex } from './first-index.ts'
import type { Places } from './places.ts'
import type { Anchors } from './scan.ts'
import type { Tokens } from './tokens.ts'
import { readUrls } from './urls.ts'

const NONE = new Int32Array(0)

/** The distance before and behind a value within which a word may refer to the value. */
export interface Reach {
  before: number
  behind: number
  /** True if other numbers may stand in between. */
  isOverNumbers?: true
  /** True if a word before the value refers to it only on the same line, or from the end of the line above. */
  isOfLine?: true
}

/** The length beyond which a line is not a label of the line below. */
const LONGEST_LABEL = 24

const WIDE: Reach = { before: 48, behind: 28 }

/** Added to the distance of a word that refers to another number: it names that one, and at most this one too. */
export const FOREIGN = 100
/** Added to the distance of a word behind a value. One before it is more likely to be its label. */
const BEHIND = 8
/** The text between a label and its value. */
const LABEL_GAP =
  /^[^\S\n]*(?:(?:number|numbers|num|no|nr|nº|n°|numero|número|nummer|numer|is|are|ist|est|es|é|è|jest|är|er)\.?[^\S\n]*)*[:=#]?[^\S\n]*["'(+]?$/iu
const LONGEST_GAP = 16
/** The text between a value and the word behind it that names it: `5550132 is my`. */
const NAMED_BEFORE =
  /\d[\])"']?\s{1,2}(?:is|was|ist|est|es|e|é|è|jest|to|är|er|это|adalah|là)\s(?:(?:my|the|our|meine?|die|der|mon|ma|le|la|mi|el|il mio|la mia|il|o meu|a minha|o|a|mijn|het|de|mój|moje|moja|min|mitt|мой|мо[её]|моя)\s)?$/iu
const LONGEST_NAMING = 24

/** A text while it is being read: its anchors, the findings so far, and the words around a place. */
export class Page {
  readonly text: string
  readonly findings: Finding[] = []
  readonly anchors: Anchors
  /** The start and the end of each URL. */
  readonly urls: readonly number[]
  /** The place up to which the phone recognizer has read a run of numbers without finding anything. */
  triedUntil = 0
  readonly #tokens: Tokens
  readonly #kinds: ReadonlyMap<string, number>

  constructor(text: string, anchors: Anchors, kinds: ReadonlyMap<string, number>) {
    this.text = text
    this.anchors = anchors
    this.#tokens = anchors.tokens
    this.urls = readUrls(text, anchors.colons)
    this.#kinds = kinds
  }

  /** Records a finding. */
  add(type: string, start: number, end: number, strength: Strength): void {
    this.findings.push({ type, start, end, strength })
  }

  /** Tells whether the text contains a phrase of the kind. */
  has(kind: string): boolean {
    const index = this.#kinds.get(kind)
    return index !== undefined && (this.anchors.phrases[index] as Places).length > 0
  }

  /** Returns the start and the end of every phrase of a kind, in order. */
  phrases(kind: string): Int32Array {
    const index = this.#kinds.get(kind)
    if (index === undefined) return NONE
    const { numbers, length } = this.anchors.phrases[index] as Places
    return length === 0 ? NONE : numbers.subarray(0, length)
  }

  /** Tells whether a phrase of a kind begins at a place. */
  beginsPhrase(kind: string, place: number): boolean {
    const index = this.#kinds.get(kind)
    if (index === undefined) return false
    const { numbers, length } = this.anchors.phrases[index] as Places
    const first = firstIndex(length / 2, (at) => (numbers[at * 2] as number) >= place)
    return first * 2 < length && numbers[first * 2] === place
  }

  /** Calls `look` for every phrase of a kind, in order. */
  eachPhrase(kind: string, look: (start: number, end: number) => void): void {
    const index = this.#kinds.get(kind)
    if (index === undefined) return
    const { numbers, length } = this.anchors.phrases[index] as Places
    for (let at = 0; at < length; at += 2) look(numbers[at] as number, numbers[at + 1] as number)
  }

  /** Returns the places of the colons and equals signs. */
  pairSigns(): Int32Array {
    const { numbers, length } = this.anchors.pairSigns
    return numbers.subarray(0, length)
  }

  get tokenCount(): number {
    return this.#tokens.count
  }

  tokenStart(token: number): number {
    return this.#tokens.start(token)
  }

  tokenEnd(token: number): number {
    return this.#tokens.end(token)
  }

  /** Returns the number of letters before the token's first digit. */
  tokenLetters(token: number): number {
    return this.#tokens.lead(token)
  }

  /** Tells whether the token consists only of digits. */
  isNumber(token: number): boolean {
    return this.#tokens.isNumber(token)
  }

  /** Tells whether a token begins between two places. */
  hasTokenWithin(from: number, until: number): boolean {
    const next = this.tokenBefore(from) + 1
    return next < this.tokenCount && this.tokenStart(next) < until
  }

  /** Returns the last token that ends at or before a place; -1 if there is none. */
  tokenBefore(place: number): number {
    return firstIndex(this.tokenCount, (token) => this.tokenEnd(token) > place) - 1
  }

  /**
   * Returns the number of characters between a value and the nearest phrase of a kind before it or shortly behind it,
   * and more (see FOREIGN) if the phrase names another number; Infinity if none is near. Costs almost nothing as long
   * as calls follow the order of the text.
   */
  distance(kind: string, start: number, end: number, reach: Reach = WIDE): number {
    const index = this.#kinds.get(kind)
    if (index === undefined) return Number.POSITIVE_INFINITY
    const places = this.anchors.phrases[index] as Places
    const { numbers: list, length } = places
    if (length === 0) return Number.POSITIVE_INFINITY
    // The first phrase that ends behind the place of the last query.
    let { cursor } = places
    while (cursor > 0 && (list[cursor - 1] as number) > start) cursor -= 2
    while (cursor < length && (list[cursor + 1] as number) <= start) cursor += 2
    places.cursor = cursor
    let nearest = Number.POSITIVE_INFINITY
    if (cursor > 0) {
      const gap = start - (list[cursor - 1] as number)
      if (gap <= reach.before && !this.#isApart(start - gap, start, reach))
        nearest = gap + (this.#namesAnother(list[cursor - 2] as number, start - gap, start) ? FOREIGN : 0)
    }
    if (cursor < length) {
      const gap = (list[cursor] as number) - end
      if (gap >= 0 && gap <= reach.behind && gap < nearest && this.#isOneClause(end, end + gap, reach))
        nearest = Math.min(nearest, gap + (this.#isLabel(list[cursor + 1] as number) ? FOREIGN : BEHIND))
    }
    return nearest
  }

  /** Tells whether a word before a value names another number: one between the two, or one before the word. */
  #namesAnother(wordStart: number, wordEnd: number, start: number): boolean {
    const before = this.tokenBefore(wordEnd)
    if (before + 1 < this.tokenCount && this.tokenStart(before + 1) < start) return true
    if (before < 0 || this.tokenEnd(before) < wordStart - LONGEST_NAMING) return false
    return NAMED_BEFORE.test(this.text.slice(Math.max(0, wordStart - LONGEST_NAMING), wordStart))
  }

  /** Tells whether the word that ends at a place labels the number behind it. */
  #isLabel(end: number): boolean {
    const next = this.tokenBefore(end) + 1
    if (next >= this.tokenCount) return false
    const start = this.tokenStart(next)
    return start - end <= LONGEST_GAP && LABEL_GAP.test(this.text.slice(wordEnd(this.text, end), start))
  }

  /** Tells whether a word before a value refers to something else. */
  #isApart(start: number, end: number, reach: Reach): boolean {
    return reach.isOfLine ? this.#isLineBetween(start, end) : this.#isTalkBetween(start, end)
  }

  /**
   * Tells whether a line ends between a word and a value, unless the word ends a label and the value begins the next
   * line.
   */
  #isLineBetween(start: number, end: number): boolean {
    let line = -1
    let hasWord = false
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 10 && line < 0) line = at
      hasWord ||= isWord(code)
    }
    return line >= 0 && (hasWord || !this.#isShortLine(line))
  }

  /**
   * Tells whether a question or an exclamation ends between a word and a value, and more text follows before the value.
   */
  #isTalkBetween(start: number, end: number): boolean {
    let isEnded = false
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at)
      if (isEnded && isLetter(code)) return true
      isEnded ||= code === 63 || code === 33
    }
    return false
  }

  /** Tells whether the line that ends at `end` may label the line below, because it is short or ends with a colon. */
  #isShortLine(end: number): boolean {
    for (let at = end - 1; at >= end - LONGEST_LABEL; at--) {
      const code = this.text.charCodeAt(at)
      if (at < 0 || code === 10 || code === 58) return true
    }
    return false
  }

  /** Tells whether no line or sentence ends between two places, and no other number stands there. */
  #isOneClause(start: number, end: number, reach: Reach): boolean {
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 10 || code === 59 || code === 0x3002 || (isDigit(code) && !reach.isOverNumbers))
        return false
      if ((code === 46 || code === 44) && this.text.charCodeAt(at + 1) === 32) return false
    }
    return true
  }
}
