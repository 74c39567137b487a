/** A vector by its place, and how like the question it is: the cosine of their angle. */
export interface Near {
  at: number
  similarity: number
}

/** Compares a question with the vectors `from` to `to` of a matrix, and gives the best. */
export function products(
  numbers: Float32Array,
  dimension: number,
  question: Float32Array,
  from: number,
  to: number,
  most: number,
): Near[] {
  let best: Near[] = []
  let least = Number.NEGATIVE_INFINITY
  for (let at = from; at < to; at++) {
    const similarity = product(numbers, at * dimension, question, dimension)
    if (!(similarity > least)) continue
    best.push({ at, similarity })
    if (best.length < most * 2) continue
    best = bestOf(best, most)
    least = best.at(-1)?.similarity ?? least
  }
  return bestOf(best, most)
}

export function bestOf(near: Near[], most: number): Near[] {
  return near.sort(better).slice(0, most)
}

/** Of equals the one that was made first. */
function better(a: Near, b: Near): number {
  return b.similarity - a.similarity || a.at - b.at
}

/** Four sums at once, so that no addition waits for the one before. */
function product(numbers: Float32Array, offset: number, question: Float32Array, dimension: number): number {
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
