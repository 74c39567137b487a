import { type Random, seededRandom } from '../../bench/redaction/random.ts'
import { Chain } from '../../src/redaction/tagger/chain.ts'
import { Features, REACH } from '../../src/redaction/tagger/features.ts'
import { ADDRESS, BIAS, LABELS, type Model, OUTSIDE, PERSON } from '../../src/redaction/tagger/model.ts'
import { LINE_END, type Line, Sheet } from '../../src/redaction/tagger/sheet.ts'
import type { ChosenFeatures, FeatureNumbers } from './feature-numbers.ts'
import type { Message } from './generate.ts'

/** The step of a weight that has not moved yet; it shrinks as the weight moves (AdaGrad). */
const STEP = 0.15
/** The share of names and addresses whose words are forgotten, so that what is around them is learned. */
const FORGOTTEN = 0.35
/** The share of words that are forgotten of the others. */
const FORGOTTEN_ALONE = 0.25
/** The share of other tokens whose word is forgotten. */
const FORGOTTEN_OUTSIDE = 0.08
/**
 * The share of lines that are learned without the features of places, so that words alone tell where it is worth
 * reading those.
 */
const WITHOUT_PLACES = 0.3
/** The share of all features that are left out, so that the others learn to do without them. */
const LEFT_OUT = 0.4
/** The longest part of a line that is learned together. */
const LONGEST = 256
/** Weights beyond this are cut when they become bytes. */
const MOST = 4

/** Learns the weights of the tagger: a conditional random field, one message at a time. */
export class Trainer<Numbers extends FeatureNumbers> {
  readonly numbers: Numbers
  readonly #sheet = new Sheet()
  /** By feature and label, as are `#moved` and `#early`. */
  #weights = new Float32Array(LABELS << 18)
  #moved = new Float32Array(LABELS << 18)
  /** Each move of a weight since `average`, times the messages learned between the two. */
  #early = new Float32Array(LABELS << 18)
  /** By feature, how often it was read. */
  #reads = new Uint32Array(1 << 18)
  /** Messages since `average`; 0 before. */
  #averaged = 0
  readonly #steps = new Float64Array(LABELS * LABELS)
  readonly #stepsMoved = new Float64Array(LABELS * LABELS)
  readonly #random: Random
  readonly #read = new Features()
  /** The features of the tokens of a part, one after the other, and where each token's begin. */
  #features = new Int32Array(1 << 16)
  readonly #begins = new Int32Array(LONGEST + 1)
  readonly #chain = new Chain(LONGEST)

  constructor(numbers: Numbers, seed: number) {
    this.numbers = numbers
    this.#random = seededRandom(seed)
  }

  /** From here on the weights are averaged over the messages, which forgets what the last ones happened to say. */
  average(): void {
    this.#averaged = 1
  }

  learn(message: Message): void {
    if (this.#averaged > 0) this.#averaged++
    const sheet = this.#sheet
    sheet.read(message.text)
    const gold = goldLabels(sheet, message)
    const forgotten = this.#forget(sheet, message)
    for (const line of sheet.lines)
      for (let start = line.start; start < line.end; start += LONGEST)
        this.#learnPart(line, start, Math.min(line.end, start + LONGEST), gold, forgotten)
  }

  /** Returns how much a feature tells: the weight it gives to a label, and more if it is read often. */
  worth(feature: number): number {
    const weights = [...this.#averagesOf(feature)]
    return (Math.max(...weights) - Math.min(...weights)) * Math.log1p(this.#reads[feature] as number)
  }

  #averagesOf(feature: number): Float64Array {
    return Float64Array.from({ length: LABELS }, (_, label) => {
      const at = feature * LABELS + label
      const early = this.#averaged > 0 ? (this.#early[at] as number) / this.#averaged : 0
      return (this.#weights[at] as number) - early
    })
  }

  finish(this: Trainer<ChosenFeatures>): Omit<Model, 'mask'> {
    const { tags } = this.numbers
    const scale = MOST / 127
    const byte = (weight: number) => BIAS + Math.max(-127, Math.min(127, Math.round(weight / scale)))
    const weights = new Int32Array(tags.length)
    for (let feature = 0; feature < weights.length; feature++) {
      const averages = this.#averagesOf(feature)
      for (let label = 1; label < LABELS; label++) {
        const weight = (averages[label] as number) - (averages[OUTSIDE] as number)
        weights[feature] = (weights[feature] as number) | (byte(weight) << ((label - 1) * 8))
      }
    }
    return {
      scale,
      weights,
      tags,
      transitions: Int32Array.from(this.#steps, (weight) => Math.round(weight / scale)),
    }
  }

  /** Returns for each token whether its word is forgotten. */
  #forget(sheet: Sheet, { labelled }: Message): Uint8Array {
    const forgotten = new Uint8Array(sheet.count)
    for (let token = 0; token < sheet.count; token++)
      if (this.#random.chance(FORGOTTEN_OUTSIDE)) forgotten[token] = 1
    for (const { start, end } of labelled) {
      const share = this.#random.chance(FORGOTTEN) ? 1 : FORGOTTEN_ALONE
      for (let token = 0; token < sheet.count; token++)
        if ((sheet.starts[token] as number) >= start && (sheet.ends[token] as number) <= end)
          forgotten[token] = this.#random.chance(share) ? 1 : 0
    }
    return forgotten
  }

  #learnPart(line: Line, start: number, end: number, gold: Uint8Array, forgotten: Uint8Array): void {
    this.#readFeatures(line, start, end, forgotten)
    const count = end - start
    this.#sumFeatures(count)
    const steps = Float64Array.from(this.#steps, (step) => Math.exp(step))
    this.#chain.weigh(count, steps)
    const { likelihoods } = this.#chain
    const features = this.#features
    for (let at = 0; at < count; at++) {
      for (let label = 0; label < LABELS; label++) {
        const wanted = gold[start + at] === label ? 1 : 0
        const slope = wanted - (likelihoods[at * LABELS + label] as number)
        if (slope < 0.002 && slope > -0.002) continue
        const until = this.#begins[at + 1] as number
        for (let feature = this.#begins[at] as number; feature < until; feature++) {
          const to = (features[feature] as number) + label
          const step = move(this.#weights, this.#moved, to, slope)
          this.#early[to] = (this.#early[to] as number) + step * this.#averaged
        }
      }
    }
    const slopes = new Float64Array(LABELS * LABELS)
    this.#chain.countSteps(count, steps, slopes)
    for (let at = 0; at < slopes.length; at++) slopes[at] = -(slopes[at] as number)
    for (let at = 0; at < count; at++) {
      const before = at === 0 ? OUTSIDE : (gold[start + at - 1] as number)
      const step = before * LABELS + (gold[start + at] as number)
      slopes[step] = (slopes[step] as number) + 1
    }
    slopes.forEach((slope, at) => {
      move(this.#steps, this.#stepsMoved, at, slope)
    })
  }

  #readFeatures(line: Line, start: number, end: number, forgotten: Uint8Array): void {
    const sheet = this.#sheet
    const read = this.#read
    const hasPlaces = !this.#random.chance(WITHOUT_PLACES)
    let count = 0
    for (let token = start; token < end; token++) {
      if (count + 512 > this.#features.length) {
        const more = new Int32Array(this.#features.length * 2)
        more.set(this.#features)
        this.#features = more
      }
      this.#begins[token - start] = count
      const isForgotten = forgotten[token] === 1
      const take = (leavesOut: boolean) => {
        const until = leavesOut ? read.firstOfWord : read.count
        for (let at = 0; at < until; at++) {
          if (this.#random.chance(LEFT_OUT)) continue
          const feature = this.numbers.numberOf(read.hashes[at] as number)
          if (feature < 0) continue
          if (feature >= this.#reads.length) this.#grow()
          this.#reads[feature] = (this.#reads[feature] as number) + 1
          this.#features[count++] = feature * LABELS
        }
      }
      for (let offset = -REACH; offset <= REACH; offset++) {
        const other = token + offset
        if (other < 0 || other >= sheet.count) continue
        read.readToken(sheet, other, offset)
        take(isForgotten && offset === 0)
      }
      if (!hasPlaces) continue
      read.readPlace(sheet, token, line.start, line.end, line.letters)
      take(isForgotten)
    }
    this.#begins[end - start] = count
  }

  #grow(): void {
    const grown = <T extends Float32Array | Uint32Array>(old: T, more: T) => {
      more.set(old)
      return more
    }
    const size = this.#weights.length * 2
    this.#weights = grown(this.#weights, new Float32Array(size))
    this.#moved = grown(this.#moved, new Float32Array(size))
    this.#early = grown(this.#early, new Float32Array(size))
    this.#reads = grown(this.#reads, new Uint32Array(this.#reads.length * 2))
  }

  /** Adds up what each token's features say. */
  #sumFeatures(count: number): void {
    const { odds } = this.#chain
    const weights = this.#weights
    const features = this.#features
    for (let at = 0; at < count; at++) {
      const to = at * LABELS
      odds.fill(0, to, to + LABELS)
      const until = this.#begins[at + 1] as number
      for (let feature = this.#begins[at] as number; feature < until; feature++) {
        const from = features[feature] as number
        for (let label = 0; label < LABELS; label++)
          odds[to + label] = (odds[to + label] as number) + (weights[from + label] as number)
      }
      let most = -Infinity
      for (let label = 0; label < LABELS; label++) most = Math.max(most, odds[to + label] as number)
      for (let label = 0; label < LABELS; label++)
        odds[to + label] = Math.exp((odds[to + label] as number) - most)
    }
  }
}

/** Moves a weight up a slope, the less the more it has moved before, and returns by how much. */
function move(
  weights: Float32Array | Float64Array,
  moved: Float32Array | Float64Array,
  at: number,
  slope: number,
): number {
  const sum = (moved[at] as number) + slope * slope
  moved[at] = sum
  const step = (STEP * slope) / Math.sqrt(sum + 0.01)
  weights[at] = (weights[at] as number) + step
  return step
}

/** Returns the label of each token. */
function goldLabels(sheet: Sheet, { labelled }: Message): Uint8Array {
  const gold = new Uint8Array(sheet.count).fill(OUTSIDE)
  for (const { label, start, end } of labelled) {
    const first = label === 'PERSON' ? PERSON : ADDRESS
    let isFirst = true
    for (let token = 0; token < sheet.count; token++) {
      if ((sheet.starts[token] as number) < start || (sheet.ends[token] as number) > end) continue
      if (sheet.kinds[token] === LINE_END) {
        isFirst = true
        continue
      }
      gold[token] = isFirst ? first : first + 1
      isFirst = false
    }
  }
  return gold
}
