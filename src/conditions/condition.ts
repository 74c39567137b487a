/**
 * The condition under which a rule acts: comparisons of named facts, joined by `all`, `any` and `not`. Requests and the
 * database use this form.
 */
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison

export interface Comparison {
  field: string
  op: Operator
  /**
   * The value to compare with. For `exists`: false when the fact must be missing; true or absent when it must be
   * present.
   */
  value?: ComparisonValue
}

export const operators = [
  'eq',
  'neq',
  'in',
  'contains',
  'contains_any',
  'matches',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
] as const

export type Operator = (typeof operators)[number]
export type Scalar = string | number | boolean
export type ComparisonValue = Scalar | Scalar[]

/**
 * The facts that conditions compare, by the names of their fields. A fact that is absent, null or undefined is missing.
 * A costly fact may be a getter, which is called only when a comparison needs it.
 */
export type Facts = Readonly<Record<string, FactValue | null | undefined>>

/** A list, which a tag may hold, is compared member by member. */
export type FactValue = Scalar | readonly Scalar[]
