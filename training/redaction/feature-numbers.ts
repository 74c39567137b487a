import { TAG_SHIFT } from '../../src/redaction/tagger/model.ts'

/** Numbers features by their hashes. */
export interface FeatureNumbers {
  /** One more than the highest number so far. */
  readonly count: number
  /** Returns the number of the feature with a hash; -1 if it is left out. */
  numberOf(hash: number): number
}

/**
 * Numbers every feature that comes, from 0 on. Two are taken for one where the last `bits` bits of their hashes are the
 * same, and the bits of the tag.
 */
export class AllFeatures implements FeatureNumbers {
  count = 0
  readonly #bits: number
  readonly #mask: number
  /** By key, one more than the number. */
  readonly #numbers: Int32Array
  /** By number. */
  readonly #keys: number[] = []

  constructor(bits: number) {
    this.#bits = bits
    this.#mask = (1 << bits) - 1
    this.#numbers = new Int32Array(1 << (bits + 32 - TAG_SHIFT))
  }

  numberOf(hash: number): number {
    const key = ((hash >>> TAG_SHIFT) << this.#bits) | (hash & this.#mask)
    const number = this.#numbers[key] as number
    if (number > 0) return number - 1
    this.#keys.push(key)
    this.#numbers[key] = ++this.count
    return this.count - 1
  }

  /** Chooses for each place of the model, of the features that have it, the one that is worth most. */
  choose(worth: (number: number) => number): ChosenFeatures {
    const size = this.#mask + 1
    const most = new Float64Array(size)
    const tags = new Uint8Array(size)
    this.#keys.forEach((key, number) => {
      const place = key & this.#mask
      const own = worth(number)
      if (own <= (most[place] as number)) return
      most[place] = own
      tags[place] = key >>> this.#bits
    })
    return new ChosenFeatures(tags)
  }
}

/** Numbers one feature for each place of the model, and leaves out all others. */
export class ChosenFeatures implements FeatureNumbers {
  readonly count: number
  /** By place, the tag of the feature. */
  readonly tags: Uint8Array

  constructor(tags: Uint8Array) {
    this.tags = tags
    this.count = tags.length
  }

  numberOf(hash: number): number {
    const place = hash & (this.count - 1)
    return this.tags[place] === hash >>> TAG_SHIFT ? place : -1
  }
}
