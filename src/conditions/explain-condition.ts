import type { Condition, Facts } from './condition.ts'
import { settleCondition } from './evaluate-condition.ts'

/** A condition that tells for each of its parts, under `all`, `any` or `not`, whether the part held. */
export interface ExplainedCondition {
  /** Null: the outcome depends on an evaluator that was not asked. */
  held: boolean | null
  [part: string]: unknown
}

/** Tells for each part of a condition whether it held. */
export function explainCondition(condition: Condition, facts: Facts): ExplainedCondition {
  const held = settleCondition(condition, facts)
  const each = (parts: readonly Condition[]) => parts.map((part) => explainCondition(part, facts))
  if ('all' in condition) return { held, all: each(condition.all) }
  if ('any' in condition) return { held, any: each(condition.any) }
  if ('not' in condition) return { held, not: explainCondition(condition.not, facts) }
  return { held, ...condition }
}
