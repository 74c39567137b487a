import type { Condition, Facts, Operator } from './condition.ts'
import { settleCondition } from './evaluate-condition.ts'

/** The outcome of a comparison. `held` is null if it made no difference, so that its evaluator was not asked. */
export interface ComparisonOutcome {
  field: string
  op: Operator
  held: boolean | null
}

/**
 * Lists the outcome of each comparison of a condition, in order. The list holds neither facts nor the values compared.
 */
export function compareEach(condition: Condition, facts: Facts): ComparisonOutcome[] {
  if ('all' in condition) return condition.all.flatMap((part) => compareEach(part, facts))
  if ('any' in condition) return condition.any.flatMap((part) => compareEach(part, facts))
  if ('not' in condition) return compareEach(condition.not, facts)
  const { field, op } = condition
  return [{ field, op, held: settleCondition(condition, facts) }]
}
