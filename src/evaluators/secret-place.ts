import type { SealedPlace } from '../lib/sealed-places.ts'

/** Where an evaluator's secret is kept: it opens nowhere else. */
export function secretPlace(evaluatorId: number): SealedPlace {
  return `evaluators|${evaluatorId}|settings.secret`
}
