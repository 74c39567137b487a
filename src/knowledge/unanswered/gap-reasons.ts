/** The reasons for which a question counts as unanswered; a question may have several. */
export const gapReasons = [
  /** The built-in answerer did not know, or named pages that may help. */
  'unknown',
  /** The model was given no passage that fits and found none itself, and its answer cites none. */
  'no_passage',
  /** The model was given passages that fit or found some, and its answer cites none. */
  'uncited',
  /** Somebody disliked the answer. */
  'disliked',
  /** A person was asked for, or answered. */
  'handed_off',
] as const

export type GapReason = (typeof gapReasons)[number]

/** Writes reasons as one number, a bit each, so that a note of several is one row. */
export function bitsOf(reasons: readonly GapReason[]): number {
  return reasons.reduce((bits, reason) => bits | (1 << gapReasons.indexOf(reason)), 0)
}

/** Reads what `bitsOf` wrote. */
export function reasonsIn(bits: number): GapReason[] {
  return gapReasons.filter((_, at) => (bits & (1 << at)) !== 0)
}
