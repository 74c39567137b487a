import { firstIndex } from '../engine/first-index.ts'
import type { Stretch } from '../engine/stretch.ts'
import type { Threshold } from './care.ts'
import { Chain } from './chain.ts'
import { Features, REACH } from './features.ts'
import { ADDRESS, BIAS, LABELS, type Model, PERSON, TAG_SHIFT, WEIGHED } from './model.ts'
import { CHARACTER, FOREIGN, LINE_END, type Line, MARKUP, Sheet } from './sheet.ts'

/** A stretch of a text that is likely a person's name or an address. */
interface Tagged {
  type: 'PERSON' | 'LOCATION'
  start: number
  end: number
  /** The likelihood of its likeliest token, from 0 to 1. */
  score: number
}

/** The numbers for one token: two labels in each, so that one addition adds up both. */
const PAIRS = WEIGHED / 2
/**
 * A row: two hashes of its word, and the weights that the word gives to each token around it. It fills a line of cache.
 */
const HEAD = 2
const ROW = HEAD + (2 * REACH + 1) * PAIRS
const ROWS = 1 << 14
/** The weights of a feature that the model does not have. */
const SILENT = (BIAS * 0x01010101) | 0
/** The highest bit of each label of a pair. */
const TOPS = 0x80008000
/** The longest part of a line that is tagged together. */
const LONGEST = 512
/** The likelihood of the tokens at the ends of a finding. An address goes on over words that it may not have. */
const EDGE = { PERSON: 0.45, LOCATION: 0.2 }
/** The most, in nats, by which the features of a token's place may make up for what its words lack. */
const HOPE = 0.3
/** The least weight, in nats, that a likely token's features have against being outside. */
const LEAST = 1
/** The least such weight of the words alone. */
const STRONG = 1.5
/** Sums below this, and above its negative, have their odds in a table. */
const COMMON = 2048
/** The tokens on each side of a hopeful one that are tagged with it. */
const AROUND = 2

/** The likelihood of being outside from which a token at the end of a pattern's finding is cut off. */
const SURELY_OUTSIDE = 0.99
/** The same for all tokens of a pattern's finding, which is then dropped. */
const SURELY_NONE = 0.999

/** The distance from what is replaced within which patterns look again for what it has exposed. */
const READ_AGAIN = 80

/** The form of a name, and the word that an address must have: numbers alone are something else. */
const NAME = /^[^\d\n]*[\p{L}\p{M}]{2}[^\d\n]*$|^[\p{Script=Han}\p{Script=Hangul}]$/u
const ADDRESS_WORD = /[\p{L}\p{M}]{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/**
 * Tags the names of people and the addresses in texts: a linear-chain conditional random field over tokens, with hashed
 * features. The weights that a word gives to itself and its neighbours are kept, because most words recur.
 */
export class Tagger {
  readonly #model: Model
  readonly #sheet = new Sheet()
  readonly #rows = new Int32Array(ROWS * ROW)
  readonly #isNewer = new Uint8Array(ROWS)
  /**
   * By token, from the one that is REACH before the first to the one that is REACH behind the last: the sums of its
   * labels. `#zero` is added to each, so that its highest bit is set once the words make the label possible.
   */
  #sums = new Int32Array(4096 * PAIRS)
  /** By token: the likelihood that it is outside; 0 if that was not computed. */
  #outside = new Float32Array(4096)
  /** By token: 1 if it is to be tagged in any case. */
  #isAsked = new Uint8Array(4096)
  readonly #features = new Features()
  readonly #chain = new Chain(LONGEST)
  readonly #zero: number
  /** Added to a pair of sums, it sets the highest bits of those that are more than STRONG, or than LEAST. */
  readonly #strong: number
  readonly #least: number
  readonly #steps: Float64Array
  readonly #odds: Float64Array

  constructor(model: Model) {
    this.#model = model
    const aboveOf = (nats: number) => Math.floor(nats / model.scale)
    const hope = aboveOf(-HOPE)
    this.#zero = 0x7fff - hope
    this.#strong = pairOf(hope - aboveOf(STRONG))
    this.#least = pairOf(hope - aboveOf(LEAST))
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

  /** Adds up, for each token, the weights that its own word and the words around it give. */
  #sumRows(): void {
    const { count } = this.#sheet
    const length = (count + 2 * REACH) * PAIRS
    if (this.#sums.length < length) this.#sums = new Int32Array(length * 2)
    const sums = this.#sums.fill(pairOf(this.#zero), 0, length)
    const rows = this.#rows
    for (let token = 0; token < count; token++) {
      let from = this.#rowOf(token) + HEAD
      const first = token * PAIRS
      for (let at = first; at < first + ROW - HEAD; at++)
        sums[at] = (sums[at] as number) + (rows[from++] as number)
    }
  }

  /** Returns the place of the row of a token's word, which is made if it is not there. */
  #rowOf(token: number): number {
    const sheet = this.#sheet
    const rows = this.#rows
    const exact = (sheet.exact[token] as number) ^ ((sheet.forms[token] as number) << 24)
    const second = sheet.second[token] as number
    const mixed = Math.imul(exact ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1)
    const slot = (mixed ^ (mixed >>> 15)) & (ROWS - 1)
    const row = slot * ROW
    if (rows[row] === exact && rows[row + 1] === second) return row
    const other = (slot ^ 1) * ROW
    if (rows[other] === exact && rows[other + 1] === second) return other
    // A row may have two places: the one that was not filled last is taken.
    return this.#makeRow(token, this.#isNewer[slot] === 1 ? slot ^ 1 : slot, exact, second)
  }

  #makeRow(token: number, slot: number, exact: number, second: number): number {
    this.#isNewer[slot] = 1
    this.#isNewer[slot ^ 1] = 0
    const row = slot * ROW
    const rows = this.#rows.fill(0, row, row + ROW)
    rows[row] = exact
    rows[row + 1] = second
    for (let distance = -REACH; distance <= REACH; distance++) {
      this.#features.readToken(this.#sheet, token, -distance)
      this.#addWeights(rows, row + HEAD + (distance + REACH) * PAIRS)
    }
    return row
  }

  /** Adds what the features that were read say to the pairs at a place. */
  #addWeights(pairs: Int32Array, to: number): void {
    const { weights, tags, mask } = this.#model
    const { hashes, count } = this.#features
    // Two labels in each number: 16 bits hold the sum of as many bytes as there are hashes at most.
    let even = 0
    let odd = 0
    for (let feature = 0; feature < count; feature++) {
      const hash = hashes[feature] as number
      const at = hash & mask
      const four = tags[at] === hash >>> TAG_SHIFT ? (weights[at] as number) : SILENT
      even = (even + (four & 0xff00ff)) | 0
      odd = (odd + ((four >>> 8) & 0xff00ff)) | 0
    }
    const bias = pairOf(BIAS * count)
    pairs[to] = (pairs[to] as number) + even - bias
    pairs[to + 1] = (pairs[to + 1] as number) + odd - bias
  }

  /**
   * Tags the stretches of a line around the tokens whose words make a label possible. All tokens between them are
   * outside.
   */
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

  /**
   * Tells whether a token of a part is likely enough not to be outside, or is to be tagged anyway.
   * @param least `#strong` or `#least`
   */
  #speaks(start: number, end: number, least: number): boolean {
    const sums = this.#sums
    for (let at = (start + REACH) * PAIRS; at < (end + REACH) * PAIRS; at++)
      if ((((sums[at] as number) + least) & TOPS) !== 0) return true
    for (let token = start; token < end; token++) if (this.#isAsked[token] === 1) return true
    return false
  }

  #isHopeful(token: number): boolean {
    const sums = this.#sums
    const at = (token + REACH) * PAIRS
    return (
      (((sums[at] as number) | (sums[at + 1] as number)) & TOPS) !== 0 ||
      this.#isAsked[token] === 1 ||
      this.#sheet.foreign[token] !== 0
    )
  }

  #tagPart(line: Line, start: number, end: number, least: Threshold, tagged: Tagged[]): void {
    if (!this.#speaks(start, end, this.#strong)) return
    for (let token = start; token < end; token++) {
      this.#features.readPlace(this.#sheet, token, line.start, line.end, line.letters)
      this.#addWeights(this.#sums, (token + REACH) * PAIRS)
    }
    if (!this.#speaks(start, end, this.#least)) return
    // If all tokens are surely outside, there is neither a name nor an address.
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
    const zero = this.#zero
    const { odds } = this.#chain
    for (let token = start; token < end; token++) {
      const to = (token - start) * LABELS
      const at = (token + REACH) * PAIRS
      const even = sums[at] as number
      const odd = sums[at + 1] as number
      odds[to] = 1
      odds[to + 1] = this.#oddsOf((even & 0xffff) - zero)
      odds[to + 2] = this.#oddsOf((odd & 0xffff) - zero)
      odds[to + 3] = this.#oddsOf((even >>> 16) - zero)
      odds[to + 4] = this.#oddsOf((odd >>> 16) - zero)
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

  /** Tells whether a token and the next are in one script, which is not that of their line, so that a name has both. */
  #isOneForeign(token: number): boolean {
    const { foreign } = this.#sheet
    const own = foreign[token] ?? 0
    return (own & (foreign[token + 1] as number) & FOREIGN.line) !== 0 && (own & FOREIGN.next) === 0
  }

  #addFinding(type: Tagged['type'], first: number, behind: number, score: number, tagged: Tagged[]): void {
    const sheet = this.#sheet
    let last = behind - 1
    if (type === 'PERSON') {
      while (this.#isOneForeign(first - 1)) first--
      while (this.#isOneForeign(last)) last++
    }
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

/** Returns a number twice in one, as the labels of a pair have it. */
function pairOf(value: number): number {
  return (value + (value << 16)) | 0
}
