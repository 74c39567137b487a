import type { SentPlace } from '../lib/secrets/sealed-places.ts'

/** The place that an evaluator's secret is sealed for. The secret cannot be opened for any other place. */
export function secretPlace(evaluatorId: number): SentPlace {
  return `evaluators|${evaluatorId}|settings.secret`
}
