import { LABELS } from './model.ts'

/** The labels of some tokens in a row, and how likely each is, given what each token says and what follows what. */
export class Chain {
  /** The odds by what each token says: `odds[token * LABELS + label]`, to be filled before `weigh`. */
  readonly odds: Float64Array
  /** The result: `likelihoods[token * LABELS + label]`; those of one token sum to 1. */
  readonly likelihoods: Float64Array
  readonly #forward: Float64Array
  readonly #backward: Float64Array

  /** @param longest the most tokens in a row */
  constructor(longest: number) {
    this.odds = new Float64Array(longest * LABELS)
    this.likelihoods = new Float64Array(longest * LABELS)
    this.#forward = new Float64Array(longest * LABELS)
    this.#backward = new Float64Array(longest * LABELS)
  }

  /**
   * Computes the likelihoods of the first `count` tokens. `steps[before * LABELS + label]` are the odds that one label
   * follows another. What precedes the first token is outside.
   */
  weigh(count: number, steps: Float64Array): void {
    const { odds, likelihoods } = this
    const forward = this.#forward
    const backward = this.#backward
    for (let at = 0; at < count * LABELS; at += LABELS) {
      for (let label = 0; label < LABELS; label++) {
        let reached = at === 0 ? (steps[label] as number) : 0
        if (at > 0)
          for (let before = 0; before < LABELS; before++)
            reached += (forward[at - LABELS + before] as number) * (steps[before * LABELS + label] as number)
        forward[at + label] = reached * (odds[at + label] as number)
      }
      normalize(forward, at)
    }
    backward.fill(1, (count - 1) * LABELS, count * LABELS)
    for (let at = (count - 2) * LABELS; at >= 0; at -= LABELS) {
      for (let label = 0; label < LABELS; label++) {
        let reached = 0
        for (let next = 0; next < LABELS; next++)
          reached +=
            (steps[label * LABELS + next] as number) *
            (odds[at + LABELS + next] as number) *
            (backward[at + LABELS + next] as number)
        backward[at + label] = reached
      }
      normalize(backward, at)
    }
    for (let at = 0; at < count * LABELS; at += LABELS) {
      for (let label = 0; label < LABELS; label++)
        likelihoods[at + label] = (forward[at + label] as number) * (backward[at + label] as number)
      normalize(likelihoods, at)
    }
  }

  /** Adds to `counts` how often each label is expected after each other; `weigh` comes before. */
  countSteps(count: number, steps: Float64Array, counts: Float64Array): void {
    const pairs = new Float64Array(LABELS * LABELS)
    for (let at = 0; at < count * LABELS; at += LABELS) {
      let total = 0
      for (let before = 0; before < LABELS; before++) {
        const reached = at > 0 ? (this.#forward[at - LABELS + before] as number) : before === 0 ? 1 : 0
        for (let label = 0; label < LABELS; label++) {
          const pair =
            reached *
            (steps[before * LABELS + label] as number) *
            (this.odds[at + label] as number) *
            (this.#backward[at + label] as number)
          pairs[before * LABELS + label] = pair
          total += pair
        }
      }
      for (let pair = 0; pair < pairs.length; pair++)
        counts[pair] = (counts[pair] as number) + (pairs[pair] as number) / total
    }
  }
}

/** Divides the values of the token at a place by their sum. */
function normalize(values: Float64Array, at: number): void {
  let sum = 0
  for (let label = 0; label < LABELS; label++) sum += values[at + label] as number
  const share = 1 / sum
  for (let label = 0; label < LABELS; label++) values[at + label] = (values[at + label] as number) * share
}
