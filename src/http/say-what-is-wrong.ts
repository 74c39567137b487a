import type { z } from 'zod'

/** The description of a field that is not there. */
export const MISSING = 'is missing'

/**
 * Describes the error in a field whose schema has no message of its own. The readers do not know the validation
 * library, and the message never repeats the value sent.
 */
export function sayWhatIsWrong(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return MISSING
      return issue.expected === 'never'
        ? 'is not known here'
        : `must be ${TYPES[issue.expected] ?? 'something else'}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be one of ${issue.options.join(', ')}` : 'is not valid'
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the form that is needed'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_key':
      return 'has a name that is not allowed here'
    default:
      return 'is not valid'
  }
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  url: 'must be a URL',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  datetime: 'must be an RFC 3339 time',
  date: 'must be a date such as 2026-11-20',
}

type SizeIssue = { origin: string; inclusive?: boolean }

function tooSmall({ origin, minimum, inclusive }: SizeIssue & { minimum: number | bigint }): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty'
  const unit = unitOf(origin, minimum)
  if (unit) return `must have at least ${minimum} ${unit}`
  return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`
}

function tooBig({ origin, maximum, inclusive }: SizeIssue & { maximum: number | bigint }): string {
  const unit = unitOf(origin, maximum)
  if (unit) return `must have at most ${maximum} ${unit}`
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

function unitOf(origin: string, count: number | bigint): string | null {
  const units: Record<string, string> = { string: 'character', array: 'item', set: 'item', map: 'entry' }
  const unit = units[origin]
  return unit === undefined ? null : Number(count) === 1 ? unit : `${unit}s`.replace('entrys', 'entries')
}
