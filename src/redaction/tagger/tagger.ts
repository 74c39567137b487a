import { firstIndex } from '../engine/first-index.ts'
import type { Stretch } from '../engine/stretch.ts'
import type { Threshold } from './care.ts'
import { Chain } from './chain.ts'
import { Features, REACH } from './features.ts'
import { ADDRESS, BIAS, LABELS, type Model, PERSON, WEIGHED } from './model.ts'
import { CHARACTER, LINE_END, type Line, MARKUP, Sheet } from './sheet.ts'

/** A stretch of a text that is likely a person's name or an address. */
export interface Tagged {
  type: 'PERSON' | 'LOCATION'
  start: number
  end: number
  /** The likelihood of its likeliest token, from 0 to 1. */
  score: number
}

const WINDOW = 2 * REACH + 1
const ROW = WINDOW * WEIGHED
const ROWS = 1 << 14
/** The longest part of a line that is tagged together. */
const LONGEST = 512
/** The likelihood of the tokens at the ends of a finding. An address goes on over words that it may not have. */
const EDGE = { PERSON: 0.45, LOCATION: 0.2 }
/** By how much the features of its place may make up for what the words at a token say, in nats. */
const HOPE = 0.3
/** The least that a likely token says for itself against being outside, in nats. */
const LEAST = 1
/** The least of that for the words alone. */
const STRONG = 1.5
/** Sums below this, and above its negative, have their odds in a table. */
const COMMON = 2048
/** The tokens on each side of a hopeful one that are tagged with it. */
const AROUND = 2

/** The likelihood from which on a token at the end of what a pattern found is none of it. */
const SURELY_OUTSIDE = 0.99
/** The same for all tokens of what a pattern found, which is dropped then. */
const SURELY_NONE = 0.999

/** The distance from what is replaced within which patterns look again for what it has exposed. */
const READ_AGAIN = 80

/** The form of a name, and a word that every address has: numbers alone are something else. */
const NAME = /^[^\d\n]*[\p{L}\p{M}]{2}[^\d\n]*$|^[\p{Script=Han}\p{Script=Hangul}]$/u
const ADDRESS_WORD = /[\p{L}\p{M}]{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/**
 * Tags the names of people and the addresses in texts: a linear-chain conditional random field over tokens, with hashed
 * features. What a word says of itself and of its neighbours is kept, since most words come again and again.
 */
export class Tagger {
  readonly #model: Model
  readonly #sheet = new Sheet()
  readonly #rows = new Int16Array(ROWS * ROW)
  readonly #exact = new Int32Array(ROWS)
  readonly #second = new Int32Array(ROWS)
  readonly #isNewer = new Uint8Array(ROWS)
  #sums = new Int32Array(4096 * WEIGHED)
  /** By token: the likelihood that it is outside; 0 if that was not computed. */
  #outside = new Float32Array(4096)
  /** By token: 1 if it is to be tagged whatever it looks like. */
  #isAsked = new Uint8Array(4096)
  readonly #features = new Features()
  readonly #chain = new Chain(LONGEST)
  readonly #hope: number
  readonly #steps: Float64Array
  readonly #odds: Float64Array

  constructor(model: Model) {
    this.#model = model
    this.#hope = HOPE / model.scale
    this.#odds = Float64Array.from({ length: 2 * COMMON }, (_, at) => Math.exp((at - COMMON) * model.scale))
    this.#steps = Float64Array.from(model.transitions, (weight) => Math.exp(weight * model.scale))
  }

  /**
   * Returns what is likelier than `least`, in the order of the text. A line is not read if it, a line beside it or the
   * head of its columns has a placeholder: only those lines can make it look different, so that a text from which all
   * findings are taken has no others.
   * @param asked stretches in the order of the text whose bounds are asked for afterwards
   */
  tag(
    text: string,
    least: Threshold,
    isPlaceholder?: (name: string) => boolean,
    asked: readonly Stretch[] = [],
  ): Tagged[] {
    const sheet = this.#sheet
    sheet.read(text, isPlaceholder)
    this.#sumRows()
    this.#ask(asked)
    const tagged: Tagged[] = []
    const { lines } = sheet
    const isTouched = (at: number) => (lines[at] as Line).hasPlaceholder
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as Line
      if (isTouched(at) || (at > 0 && isTouched(at - 1))) continue
      if ((at + 1 < lines.length && isTouched(at + 1)) || (line.header >= 0 && isTouched(line.header)))
        continue
      this.#tagLine(line, least, tagged)
    }
    return tagged
  }

  /**
   * Returns a stretch that `tag` was asked for without the words at its ends that surely do not belong to it; undefined
   * if that is all of it.
   */
  bound<T extends Stretch>(asked: T): T | undefined {
    const { starts, ends, kinds, count } = this.#sheet
    const isOutside = (token: number) => (this.#outside[token] as number) >= SURELY_OUTSIDE
    const from = firstIndex(count, (token) => (ends[token] as number) > asked.start)
    const until = firstIndex(count, (token) => (starts[token] as number) >= asked.end)
    let first = from
    let last = until - 1
    // In scripts without spaces a token is not a word, and the bounds of words are hard to tell.
    const isLoose = (token: number) => isOutside(token) && kinds[token] !== CHARACTER
    while (first <= last && (this.#outside[first] as number) >= SURELY_NONE) first++
    if (first > last) return this.#isReadAgain(from) ? undefined : asked
    first = from
    while (first < last && isLoose(first)) first++
    while (last > first && isLoose(last)) last--
    return {
      ...asked,
      start: Math.max(asked.start, starts[first] as number),
      end: Math.min(asked.end, ends[last] as number),
    }
  }

  /**
   * Tells whether what is dropped at a token is read again together with all that is later replaced on its line and
   * beside it. If it were not, a second redaction, which does not read lines with placeholders, would find it.
   */
  #isReadAgain(token: number): boolean {
    const { lines, starts, ends } = this.#sheet
    const at = firstIndex(lines.length, (line) => (lines[line] as Line).end >= token)
    const first = lines[at - 1] ?? lines[at]
    const last = lines[at + 1] ?? lines[at]
    if (!first || !last || lines[at]?.header !== -1) return false
    const start = starts[token] as number
    return (
      start - (starts[first.start] as number) < READ_AGAIN && (ends[last.end] as number) - start < READ_AGAIN
    )
  }

  #ask(asked: readonly Stretch[]): void {
    const { starts, ends, count } = this.#sheet
    if (this.#outside.length < count) {
      this.#outside = new Float32Array(count * 2)
      this.#isAsked = new Uint8Array(count * 2)
    }
    this.#outside.fill(0, 0, count)
    this.#isAsked.fill(0, 0, count)
    let token = 0
    for (const { start, end } of asked) {
      while (token < count && (ends[token] as number) <= start) token++
      for (; token < count && (starts[token] as number) < end; token++) this.#isAsked[token] = 1
    }
  }

  /** Adds up, for each token, what it and the tokens around it say by themselves. */
  #sumRows(): void {
    const { count } = this.#sheet
    if (this.#sums.length < count * WEIGHED) this.#sums = new Int32Array(count * 2 * WEIGHED)
    const sums = this.#sums.fill(0, 0, count * WEIGHED)
    const rows = this.#rows
    for (let token = 0; token < count; token++) {
      const row = this.#rowOf(token)
      const first = Math.max(0, token - REACH)
      const last = Math.min(count - 1, token + REACH)
      let from = row + (first - token + REACH) * WEIGHED
      const until = (last + 1) * WEIGHED
      for (let at = first * WEIGHED; at < until; at += WEIGHED, from += WEIGHED) {
        sums[at] = (sums[at] as number) + (rows[from] as number)
        sums[at + 1] = (sums[at + 1] as number) + (rows[from + 1] as number)
        sums[at + 2] = (sums[at + 2] as number) + (rows[from + 2] as number)
        sums[at + 3] = (sums[at + 3] as number) + (rows[from + 3] as number)
      }
    }
  }

  /** Returns the place of the row of a token's word, which is made if it is not there. */
  #rowOf(token: number): number {
    const sheet = this.#sheet
    const exact = (sheet.exact[token] as number) ^ ((sheet.forms[token] as number) << 24)
    const second = sheet.second[token] as number
    const mixed = Math.imul(exact ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1)
    const slot = (mixed ^ (mixed >>> 15)) & (ROWS - 1)
    if (this.#exact[slot] === exact && this.#second[slot] === second) return slot * ROW
    if (this.#exact[slot ^ 1] === exact && this.#second[slot ^ 1] === second) return (slot ^ 1) * ROW
    // Of the two places that a row may have, the one that was not filled last is taken.
    const free = this.#isNewer[slot] === 1 ? slot ^ 1 : slot
    this.#isNewer[free] = 1
    this.#isNewer[free ^ 1] = 0
    this.#exact[free] = exact
    this.#second[free] = second
    const row = free * ROW
    const rows = this.#rows.fill(0, row, row + ROW)
    for (let distance = -REACH; distance <= REACH; distance++) {
      this.#features.readToken(sheet, token, -distance)
      this.#addWeights(rows, row + (distance + REACH) * WEIGHED)
    }
    return row
  }

  /** Adds what the features that were read say to the sums at a place. */
  #addWeights(sums: Int16Array | Int32Array, to: number): void {
    const { weights, mask } = this.#model
    const { hashes, count } = this.#features
    // Two labels in each number: 16 bits hold the sum of as many bytes as there are hashes at most.
    let even = 0
    let odd = 0
    for (let feature = 0; feature < count; feature++) {
      const four = weights[(hashes[feature] as number) & mask] as number
      even = (even + (four & 0xff00ff)) | 0
      odd = (odd + ((four >>> 8) & 0xff00ff)) | 0
    }
    const bias = BIAS * count
    sums[to] = (sums[to] as number) + (even & 0xffff) - bias
    sums[to + 1] = (sums[to + 1] as number) + (odd & 0xffff) - bias
    sums[to + 2] = (sums[to + 2] as number) + (even >>> 16) - bias
    sums[to + 3] = (sums[to + 3] as number) + (odd >>> 16) - bias
  }

  /** Tags the stretches of a line around the tokens whose words leave hope. What is between them is outside. */
  #tagLine(line: Line, least: Threshold, tagged: Tagged[]): void {
    let start = -1
    let end = -1
    for (let token = line.start; token < line.end; token++) {
      if (!this.#isHopeful(token)) continue
      if (start >= 0 && token - AROUND > end) {
        this.#tagPart(line, start, end, least, tagged)
        start = -1
      }
      if (start < 0) start = Math.max(line.start, end, token - AROUND)
      end = Math.min(line.end, token + AROUND + 1)
      if (end - start >= LONGEST - 2 * AROUND) {
        this.#tagPart(line, start, end, least, tagged)
        start = -1
      }
    }
    if (start >= 0) this.#tagPart(line, start, end, least, tagged)
  }

  /** Tells whether a token of a part speaks for more than outside by so much, in nats, or is to be tagged anyway. */
  #speaks(start: number, end: number, nats: number): boolean {
    const least = nats / this.#model.scale
    for (let at = start * WEIGHED; at < end * WEIGHED; at++)
      if ((this.#sums[at] as number) > least) return true
    for (let token = start; token < end; token++) if (this.#isAsked[token] === 1) return true
    return false
  }

  #isHopeful(token: number): boolean {
    const sums = this.#sums
    const at = token * WEIGHED
    const least = -this.#hope
    return (
      this.#isAsked[token] === 1 ||
      this.#sheet.foreign[token] !== 0 ||
      (sums[at] as number) > least ||
      (sums[at + 1] as number) > least ||
      (sums[at + 2] as number) > least ||
      (sums[at + 3] as number) > least
    )
  }

  #tagPart(line: Line, start: number, end: number, least: Threshold, tagged: Tagged[]): void {
    if (!this.#speaks(start, end, STRONG)) return
    for (let token = start; token < end; token++) {
      this.#features.readPlace(this.#sheet, token, line.start, line.end, line.letters)
      this.#addWeights(this.#sums, token * WEIGHED)
    }
    if (!this.#speaks(start, end, LEAST)) return
    // What surely is outside is none of both.
    if (this.#weigh(start, end) <= 1.000001 - Math.min(least.PERSON, least.LOCATION))
      this.#collect(start, end, least, tagged)
  }

  /** Returns the odds of a sum, those of common ones from a table. */
  #oddsOf(sum: number): number {
    return this.#odds[sum + COMMON] ?? Math.exp(sum * this.#model.scale)
  }

  /** Computes the likelihoods of the labels of a part. Returns the least with which a token of it is outside. */
  #weigh(start: number, end: number): number {
    const sums = this.#sums
    const { odds } = this.#chain
    for (let token = start; token < end; token++) {
      const to = (token - start) * LABELS
      odds[to] = 1
      for (let label = 0; label < WEIGHED; label++)
        odds[to + label + 1] = this.#oddsOf(sums[token * WEIGHED + label] as number)
    }
    this.#chain.weigh(end - start, this.#steps)
    let lowest = 1
    for (let token = start; token < end; token++) {
      const outside = this.#chain.likelihoods[(token - start) * LABELS] as number
      this.#outside[token] = outside
      if (outside < lowest) lowest = outside
    }
    return lowest
  }

  /** Adds the runs of tokens that are likely enough. */
  #collect(start: number, end: number, least: Threshold, tagged: Tagged[]): void {
    const { likelihoods } = this.#chain
    for (const label of [PERSON, ADDRESS]) {
      const type = label === PERSON ? 'PERSON' : 'LOCATION'
      let first = -1
      let score = 0
      for (let token = start; token <= end; token++) {
        const place = (token - start) * LABELS + label
        const begins = token < end ? (likelihoods[place] as number) : 0
        const likelihood = token < end ? begins + (likelihoods[place + 1] as number) : 0
        if (first >= 0 && (likelihood < EDGE[type] || begins > likelihood / 2)) {
          if (score >= least[type]) this.#addFinding(type, first, token, score, tagged)
          first = -1
          score = 0
        }
        if (likelihood < EDGE[type]) continue
        if (first < 0) first = token
        score = Math.max(score, likelihood)
      }
    }
  }

  #addFinding(type: Tagged['type'], first: number, behind: number, score: number, tagged: Tagged[]): void {
    const sheet = this.#sheet
    let last = behind - 1
    while (first < last && sheet.kinds[first] === MARKUP) first++
    while (last > first && (sheet.kinds[last] === MARKUP || sheet.kinds[last] === LINE_END)) last--
    const start = sheet.starts[first] as number
    const end = sheet.ends[last] as number
    if (
      type === 'PERSON'
        ? NAME.test(sheet.text.slice(start, end))
        : ADDRESS_WORD.test(sheet.text.slice(start, end))
    )
      tagged.push({ type, start, end, score })
  }
}
