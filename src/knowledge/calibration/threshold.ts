import { CONFIDENCE_NEEDED } from '../../model/findings.ts'

/** Fewer entries say too little. */
const FEWEST = 16
/**
 * How much of the threshold is the median of the agent's own questions; the rest is the usual threshold. Chosen by
 * `bench/abstention.ts` on some of its sets.
 */
const OWN_SHARE = 0.7
/** Where the documents have few words in common, no threshold below this one is believed. */
const LOWEST = 0.35

/**
 * The confidence that answers need.
 * @param confidences those of the best passages for questions that have no answer
 * @returns null when they are too few to tell
 */
export function thresholdOf(confidences: readonly number[]): number | null {
  if (confidences.length < FEWEST) return null
  const sorted = [...confidences].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? CONFIDENCE_NEEDED
  return Math.max(LOWEST, OWN_SHARE * median + (1 - OWN_SHARE) * CONFIDENCE_NEEDED)
}
