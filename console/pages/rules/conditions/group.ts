import type { Comparison, Condition } from '../../../../src/conditions/condition.ts'

/** How the parts of a group are joined. `none` is `not` over `any`. */
export type Join = 'all' | 'any' | 'none'

export interface ConditionGroup {
  join: Join
  parts: Condition[]
}

export const newComparison: Comparison = { field: 'prompt.text', op: 'contains', value: '' }

export function isComparison(condition: Condition): condition is Comparison {
  return 'field' in condition
}

/** Any condition as a group; one that is no group becomes the only part of one. */
export function asGroup(condition: Condition): ConditionGroup {
  if ('all' in condition) return { join: 'all', parts: condition.all }
  if ('any' in condition) return { join: 'any', parts: condition.any }
  if ('not' in condition) {
    const { not } = condition
    return { join: 'none', parts: 'any' in not ? not.any : [not] }
  }
  return { join: 'all', parts: [condition] }
}

/** A group as the service takes it; null: nothing is left in it. */
export function asCondition({ join, parts }: ConditionGroup): Condition | null {
  if (parts.length === 0) return null
  if (join === 'none') return { not: { any: parts } }
  return join === 'all' ? { all: parts } : { any: parts }
}
