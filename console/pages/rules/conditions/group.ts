import type { Comparison, Condition } from '../../../../src/conditions/condition.ts'

/** The way in which the parts of a group are joined. `none` is `not` over `any`. */
export type Join = 'all' | 'any' | 'none'

export interface ConditionGroup {
  join: Join
  parts: Condition[]
}

export const newComparison: Comparison = { field: 'prompt.text', op: 'contains', value: '' }

export function isComparison(condition: Condition): condition is Comparison {
  return 'field' in condition
}

/** Returns any condition as a group; one that is not a group becomes its only part. */
export function asGroup(condition: Condition): ConditionGroup {
  if ('all' in condition) return { join: 'all', parts: condition.all }
  if ('any' in condition) return { join: 'any', parts: condition.any }
  if ('not' in condition) {
    const { not } = condition
    return { join: 'none', parts: 'any' in not ? not.any : [not] }
  }
  return { join: 'all', parts: [condition] }
}

/** Returns a group as the service takes it; null if nothing is left in it. */
export function asCondition({ join, parts }: ConditionGroup): Condition | null {
  if (parts.length === 0) return null
  if (join === 'none') return { not: { any: parts } }
  return join === 'all' ? { all: parts } : { any: parts }
}
