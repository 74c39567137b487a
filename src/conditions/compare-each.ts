import type { Condition, Facts, Operator } from './condition.ts'
import { settleCondition } from './evaluate-condition.ts'

/** Whether a comparison of a condition held; null: nobody had to know, so that its evaluator was not asked. */
export interface ComparisonOutcome {
  field: string
  op: Operator
  held: boolean | null
}

/** The outcome of each comparison of a condition, in their order. It holds neither the facts nor what they were compared with. */
export function compareEach(condition: Condition, facts: Facts): ComparisonOutcome[] {
  if ('all' in condition) return condition.all.flatMap((part) => compareEach(part, facts))
  if ('any' in condition) return condition.any.flatMap((part) => compareEach(part, facts))
  if ('not' in condition) return compareEach(condition.not, facts)
  const { field, op } = condition
  return [{ field, op, held: settleCondition(condition, facts) }]
}
