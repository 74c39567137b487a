import type { Condition } from './condition.ts'
import { evaluatorOf } from './fields.ts'

/** The ids of the evaluators whose results a condition uses, each once, in the order in which they appear. */
export function evaluatorsOf(condition: Condition): number[] {
  return [...new Set(fieldsOf(condition).map(evaluatorOf))].filter((id) => id !== null)
}

/** The fields that a condition compares, in the order in which they appear. */
export function fieldsOf(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(fieldsOf)
  if ('any' in condition) return condition.any.flatMap(fieldsOf)
  return 'not' in condition ? fieldsOf(condition.not) : [condition.field]
}
