import { foldText } from '../language/words/find-words.ts'
import { linearPattern } from '../lib/linear-pattern/linear-pattern.ts'
import { isObject } from '../lib/untrusted-json.ts'
import type { Operator } from './condition.ts'
import { operators } from './condition.ts'
import { type FieldType, fieldType, operatorsOf, rangeOf } from './fields.ts'
import { weekdayNumber } from './weekday.ts'

const DEEPEST = 10
const MOST_PARTS = 100
const MOST_VALUES = 200
const LONGEST_VALUE = 1000

/** A mistake in a condition, and its place. */
interface Flaw {
  path: (string | number)[]
  message: string
}

/**
 * Checks a condition before it is stored: its form, that its fields exist, that operator and value fit them, and that
 * its patterns cannot be made slow. The condition may have any depth and size: the check stops at the limits.
 * @returns the first flaw, or null
 */
export function checkCondition(condition: unknown): Flaw | null {
  return new Check().part(condition, [], 1)
}

class Check {
  #parts = 0

  part(part: unknown, path: Flaw['path'], depth: number): Flaw | null {
    if (depth > DEEPEST) return { path, message: `conditions are nested more than ${DEEPEST} deep` }
    if (++this.#parts > MOST_PARTS) return { path, message: `there are more than ${MOST_PARTS} parts` }
    if (!isObject(part)) return { path, message: 'must be an object' }
    const names = Object.keys(part)
    for (const join of ['all', 'any'] as const) {
      if (!Object.hasOwn(part, join)) continue
      if (names.length > 1) return { path, message: `"${join}" must stand alone in its object` }
      return this.#list(part[join], [...path, join], depth)
    }
    if (!Object.hasOwn(part, 'not')) return checkComparison(part, path)
    if (names.length > 1) return { path, message: '"not" must stand alone in its object' }
    return this.part(part.not, [...path, 'not'], depth + 1)
  }

  #list(parts: unknown, path: Flaw['path'], depth: number): Flaw | null {
    if (!Array.isArray(parts)) return { path, message: 'must be a list of conditions' }
    if (parts.length === 0 && path.at(-1) === 'any') return { path, message: 'is empty: it would never hold' }
    for (const [index, part] of parts.entries()) {
      const flaw = this.part(part, [...path, index], depth + 1)
      if (flaw) return flaw
    }
    return null
  }
}

function checkComparison(part: Record<string, unknown>, path: Flaw['path']): Flaw | null {
  const { field, op, value, ...others } = part
  const [other] = Object.keys(others)
  if (other !== undefined || field === undefined) {
    return { path, message: 'must be one of all, any, not, or a comparison of field, op and value' }
  }
  const type = typeof field === 'string' ? fieldType(field) : null
  if (type === null) return { path: [...path, 'field'], message: 'there is no such field' }
  if (!operators.includes(op as Operator)) {
    return { path: [...path, 'op'], message: `must be one of ${operators.join(', ')}` }
  }
  const allowed = operatorsOf[type]
  if (!allowed.includes(op as Operator)) {
    return { path: [...path, 'op'], message: `${field} takes one of ${allowed.join(', ')}` }
  }
  const message = checkValue(op as Operator, type, value) ?? checkRange(String(field), value)
  return message === null ? null : { path: [...path, 'value'], message }
}

function checkValue(op: Operator, type: FieldType, value: unknown): string | null {
  switch (op) {
    case 'exists':
      return value === undefined || typeof value === 'boolean' ? null : 'must be true or false, or left out'
    case 'in':
      return checkList(value, (member) => checkScalar(type, member))
    case 'contains_any':
      return checkList(value, checkWords)
    case 'contains':
      return checkWords(value)
    case 'matches':
      return checkPattern(value)
    case 'starts_with':
      return checkScalar('text', value) ?? (value === '' ? 'must not be empty' : null)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return checkScalar(type === 'any' ? 'number' : type, value)
    default:
      return checkScalar(type, value)
  }
}

function checkRange(field: string, value: unknown): string | null {
  const range = rangeOf(field)
  if (range === null) return null
  const { least, most, isWhole } = range
  const isOutside = (one: unknown) =>
    typeof one === 'number' && (one < least || one > most || (isWhole && !Number.isInteger(one)))
  if (![value].flat().some(isOutside)) return null
  const bounds = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return `must be a ${isWhole ? 'whole number' : 'number'} ${bounds}`
}

function checkList(value: unknown, check: (member: unknown) => string | null): string | null {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list that is not empty'
  if (value.length > MOST_VALUES) return `holds more than ${MOST_VALUES} values`
  for (const member of value) {
    const message = check(member)
    if (message !== null) return `each ${message}`
  }
  return null
}

function checkScalar(type: FieldType, value: unknown): string | null {
  if (typeof value === 'string' && value.length > LONGEST_VALUE)
    return `must not be longer than ${LONGEST_VALUE} characters`
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a number'
  if (type === 'weekday') {
    const isDay = (typeof value === 'string' || typeof value === 'number') && weekdayNumber(value) !== null
    return isDay ? null : 'must be a day of the week: 1 (Monday) to 7, or its English name'
  }
  if (type === 'any') {
    return ['string', 'number', 'boolean'].includes(typeof value)
      ? null
      : 'must be a text, a number, true or false'
  }
  const [wanted, called] = SCALARS[type]
  return typeof value === wanted ? null : `must be ${called}`
}

const SCALARS = {
  prose: ['string', 'a text'],
  text: ['string', 'a text'],
  number: ['number', 'a number'],
  boolean: ['boolean', 'true or false'],
} as const

function checkWords(value: unknown): string | null {
  return checkScalar('text', value) ?? (foldText(value as string) === '' ? 'must not be empty' : null)
}

function checkPattern(value: unknown): string | null {
  const flaw = checkScalar('text', value)
  if (flaw !== null) return flaw
  try {
    linearPattern(value as string, { ignoreCase: true })
    return null
  } catch (error) {
    return (error as Error).message
  }
}
