import { CONFIDENCE_NEEDED } from '../../model/findings.ts'

/** The minimum number of entries. Fewer say too little. */
const FEWEST = 16
/**
 * The share of the median of the agent's own questions in the threshold; the rest is the usual threshold. Chosen by
 * `bench/abstention.ts` on some of its sets.
 */
const OWN_SHARE = 0.7
/** The lowest threshold that is trusted. Documents with few words in common measure lower. */
const LOWEST = 0.35

/**
 * Computes the confidence that answers need.
 * @param confidences those of the best passages for questions that have no answer
 * @returns null when they are too few to tell
 */
export function thresholdOf(confidences: readonly number[]): number | null {
  if (confidences.length < FEWEST) return null
  const sorted = [...confidences].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? CONFIDENCE_NEEDED
  return Math.max(LOWEST, OWN_SHARE * median + (1 - OWN_SHARE) * CONFIDENCE_NEEDED)
}
