import { timeOfBucket } from '../events/count.ts'

/**
 * Returns the milliseconds that a share of the measured times does not exceed; null: nothing was measured.
 * @param steps the steps of `bucketOf` and how often each was measured, in order
 */
export function quantile(
  steps: readonly (readonly [step: number, count: number])[],
  share: number,
): number | null {
  const total = steps.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [step, count] of steps) {
    seen += count
    if (seen >= total * share) return timeOfBucket(step)
  }
  return null
}
