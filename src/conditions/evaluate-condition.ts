import { foldText } from '../language/words/find-words.ts'
import { type WordFinder, wordFinder } from '../language/words/word-finder.ts'
import { linearPattern } from '../lib/linear-pattern/linear-pattern.ts'
import type { Comparison, Condition, Facts, FactValue, Scalar } from './condition.ts'
import { evaluatorOf, fieldType } from './fields.ts'
import { weekdayNumber } from './weekday.ts'

/**
 * Tells whether a condition that passed `conditionSchema` holds. For a missing fact, only `neq` and `exists: false`
 * hold. For a fact that is a list, a comparison holds when it holds for one of the members, and `neq` holds when no
 * member is equal. Comparisons of words, patterns and beginnings ignore case; `eq`, `neq` and `in` do not. Words in
 * prose are also found in other inflections; words in names, addresses and tags only as they are written. Never throws.
 */
export function evaluateCondition(condition: Condition, facts: Facts): boolean {
  return settle(condition, facts, false) === true
}

/**
 * Evaluates a condition as far as possible before evaluators have run: null when the result depends on `evaluator.<id>`
 * fields that are not among the facts yet.
 */
export function settleCondition(condition: Condition, facts: Facts): boolean | null {
  return settle(condition, facts, true)
}

function settle(condition: Condition, facts: Facts, waits: boolean): boolean | null {
  if ('all' in condition) return join(condition.all, facts, waits, false)
  if ('any' in condition) return join(condition.any, facts, waits, true)
  if ('not' in condition) {
    const inner = settle(condition.not, facts, waits)
    return inner === null ? null : !inner
  }
  if (waits && facts[condition.field] === undefined && evaluatorOf(condition.field) !== null) return null
  return compare(condition, facts[condition.field] ?? null)
}

/** Joins the outcomes of parts. @param decisive the outcome that decides the whole when one part has it */
function join(parts: readonly Condition[], facts: Facts, waits: boolean, decisive: boolean): boolean | null {
  let isOpen = false
  for (const part of parts) {
    const settled = settle(part, facts, waits)
    if (settled === decisive) return decisive
    isOpen ||= settled === null
  }
  return isOpen ? null : !decisive
}

/** The word finders of comparisons. An agent's rules keep their comparisons from prompt to prompt. */
const finders = new WeakMap<Comparison, WordFinder>()

function finderOf(comparison: Comparison, words: readonly Scalar[]): WordFinder {
  const present = finders.get(comparison)
  if (present) return present
  const made = wordFinder(words.map(String), { exact: fieldType(comparison.field) !== 'prose' })
  finders.set(comparison, made)
  return made
}

function compare(comparison: Comparison, fact: FactValue | null): boolean {
  const { field, op, value } = comparison
  if (op === 'exists') return (fact !== null) === (value !== false)
  if (op === 'neq') return !compare({ field, op: 'eq', ...(value === undefined ? {} : { value }) }, fact)
  if (fact === null || value === undefined) return false
  const values = Array.isArray(value) ? value : [value]
  const members: readonly Scalar[] = typeof fact === 'object' ? fact : [fact]
  if (op === 'contains' || op === 'contains_any') {
    const find = finderOf(comparison, values)
    return members.some((member) => typeof member === 'string' && find(member).length > 0)
  }
  const type = fieldType(field)
  return members.some((member) =>
    type === 'weekday'
      ? holds(
          op,
          weekdayNumber(member) ?? member,
          values.map((day) => weekdayNumber(day) ?? day),
        )
      : holds(op, member, values),
  )
}

function holds(op: Comparison['op'], fact: Scalar, values: readonly Scalar[]): boolean {
  const [value] = values
  if (op === 'eq' || op === 'in') return values.includes(fact)
  if (typeof fact === 'number' && typeof value === 'number') {
    if (op === 'gt') return fact > value
    if (op === 'gte') return fact >= value
    if (op === 'lt') return fact < value
    return op === 'lte' && fact <= value
  }
  if (typeof fact !== 'string') return false
  if (op === 'starts_with') return foldText(fact).startsWith(foldText(String(value)))
  return op === 'matches' && linearPattern(String(value), { ignoreCase: true }).test(fact)
}
