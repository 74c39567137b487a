/** A part of a text, in UTF-16 code units. */
export interface Stretch {
  start: number
  end: number
}

/** A part of a text, in stretches that are in order and disjoint. */
export interface Part {
  /** Where findings count. */
  asked: readonly Stretch[]
  /** What is read for them: these and what is around them. */
  read: readonly Stretch[]
}
