import { LABELS } from './model.ts'

/**
 * The labels of a row of tokens, and the likelihood of each, given the odds of each token and of each step between two
 * labels.
 */
export class Chain {
  /** The odds by token: `odds[token * LABELS + label]`, to be filled before `weigh`. */
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
   * follows another. The token before the first counts as outside.
   */
  weigh(count: number, steps: Float64Array): void {
    const { odds, likelihoods } = this
    const forward = this.#forward
    const backward = this.#backward
    let before: Float64Array = START
    let from = 0
    for (let at = 0; at < count * LABELS; at += LABELS) {
      const a = before[from] as number
      const b = before[from + 1] as number
      const c = before[from + 2] as number
      const d = before[from + 3] as number
      const e = before[from + 4] as number
      let sum = 0
      for (let label = 0; label < LABELS; label++) {
        const reached =
          a * (steps[label] as number) +
          b * (steps[LABELS + label] as number) +
          c * (steps[2 * LABELS + label] as number) +
          d * (steps[3 * LABELS + label] as number) +
          e * (steps[4 * LABELS + label] as number)
        const weight = reached * (odds[at + label] as number)
        forward[at + label] = weight
        sum += weight
      }
      scale(forward, at, 1 / sum)
      before = forward
      from = at
    }
    backward.fill(1, (count - 1) * LABELS, count * LABELS)
    for (let at = (count - 2) * LABELS; at >= 0; at -= LABELS) {
      const next = at + LABELS
      const a = (odds[next] as number) * (backward[next] as number)
      const b = (odds[next + 1] as number) * (backward[next + 1] as number)
      const c = (odds[next + 2] as number) * (backward[next + 2] as number)
      const d = (odds[next + 3] as number) * (backward[next + 3] as number)
      const e = (odds[next + 4] as number) * (backward[next + 4] as number)
      let sum = 0
      for (let label = 0; label < LABELS; label++) {
        const step = label * LABELS
        const reached =
          a * (steps[step] as number) +
          b * (steps[step + 1] as number) +
          c * (steps[step + 2] as number) +
          d * (steps[step + 3] as number) +
          e * (steps[step + 4] as number)
        backward[at + label] = reached
        sum += reached
      }
      scale(backward, at, 1 / sum)
    }
    for (let at = 0; at < count * LABELS; at += LABELS) {
      let sum = 0
      for (let label = at; label < at + LABELS; label++) {
        const likelihood = (forward[label] as number) * (backward[label] as number)
        likelihoods[label] = likelihood
        sum += likelihood
      }
      scale(likelihoods, at, 1 / sum)
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

/** The labels before the first token: outside. */
const START = Float64Array.of(1, 0, 0, 0, 0)

function scale(values: Float64Array, at: number, share: number): void {
  for (let label = at; label < at + LABELS; label++) values[label] = (values[label] as number) * share
}
