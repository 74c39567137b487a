/** A part of a text, in UTF-16 code units. */
export interface Stretch {
  start: number
  end: number
}

/** A part of a text: stretches that are disjoint and in order. */
export interface Part {
  /** The stretches in which findings count. */
  asked: readonly Stretch[]
  /** The stretches that are read: those that count, and their surroundings. */
  read: readonly Stretch[]
}
