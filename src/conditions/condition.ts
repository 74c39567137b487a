/**
 * What must hold for a rule to act: comparisons of named facts, joined by `all`, `any` and `not`. As it is written in
 * requests and stored.
 */
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison

export interface Comparison {
  field: string
  op: Operator
  /** Absent with `exists`, or false there: the fact is missing. */
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
 * What conditions are held against, by the names of their fields. What is absent, null or undefined is missing. A
 * costly fact may be a getter: it is asked when a comparison needs it.
 */
export type Facts = Readonly<Record<string, FactValue | null | undefined>>

/** A list, as a tag may hold, is compared member by member. */
export type FactValue = Scalar | readonly Scalar[]
