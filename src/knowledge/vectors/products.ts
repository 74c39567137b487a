/** A vector's place, and its similarity to the question: the cosine of their angle. */
export interface Near {
  at: number
  similarity: number
}

/**
 * Returns the similarities to the question of the vectors `from` to `to`, at most `MOST_COMPARED`. The next call may
 * overwrite them.
 */
export type Compare = (from: number, to: number) => Float32Array

/** The maximum number of vectors compared by one call. */
export const MOST_COMPARED = 8192

/** Compares a question with the vectors `from` to `to`, and returns the best. */
export function bestBy(compare: Compare, from: number, to: number, most: number): Near[] {
  let best: Near[] = []
  let least = Number.NEGATIVE_INFINITY
  for (let start = from; start < to; start += MOST_COMPARED) {
    const similarities = compare(start, Math.min(to, start + MOST_COMPARED))
    for (let index = 0; index < similarities.length; index++) {
      const similarity = similarities[index] as number
      if (!(similarity > least)) continue
      best.push({ at: start + index, similarity })
      if (best.length < most * 2) continue
      best = bestOf(best, most)
      least = best.at(-1)?.similarity ?? least
    }
  }
  return bestOf(best, most)
}

export function bestOf(near: Near[], most: number): Near[] {
  return near.sort(better).slice(0, most)
}

/** Orders the most similar first; of equals, the one that was made first. */
function better(a: Near, b: Near): number {
  return b.similarity - a.similarity || a.at - b.at
}

/** Compares a question with vectors that lie one after another, in plain JavaScript. */
export function compareWith(numbers: Float32Array, dimension: number, question: Float32Array): Compare {
  const found = new Float32Array(MOST_COMPARED)
  return (from, to) => {
    for (let at = from; at < to; at++)
      found[at - from] = product(numbers, at * dimension, question, dimension)
    return found.subarray(0, to - from)
  }
}

/** Computes a scalar product in four sums at once, so that no addition waits for the one before. */
export function product(
  numbers: Float32Array,
  offset: number,
  question: Float32Array,
  dimension: number,
): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const whole = dimension - (dimension % 4)
  for (let at = 0; at < whole; at += 4) {
    a += (numbers[offset + at] as number) * (question[at] as number)
    b += (numbers[offset + at + 1] as number) * (question[at + 1] as number)
    c += (numbers[offset + at + 2] as number) * (question[at + 2] as number)
    d += (numbers[offset + at + 3] as number) * (question[at + 3] as number)
  }
  for (let at = whole; at < dimension; at++) a += (numbers[offset + at] as number) * (question[at] as number)
  return a + b + c + d
}
