/** A part of a text, in UTF-16 code units. */
export interface Stretch {
  start: number
  end: number
}

/** A part of a text: stretches that are disjoint and in order. */
export interface Part {
  /** Where findings count. */
  asked: readonly Stretch[]
  /** What is read to find them: the stretches that count, and their surroundings. */
  read: readonly Stretch[]
}
