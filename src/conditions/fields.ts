import type { Operator } from './condition.ts'

/**
 * The content of a field. `prose` is what somebody said, with inflected words; `text` is a name or an address; `any` is
 * a tag, which holds any value.
 */
export type FieldType = 'prose' | 'text' | 'number' | 'boolean' | 'weekday' | 'any'

interface Field {
  type: FieldType
  meaning: string
  /** The range of its numbers, both ends included. */
  range?: NumberRange
}

interface NumberRange {
  least: number
  most: number
  isWhole: boolean
}

const SHARE: NumberRange = { least: 0, most: 1, isWhole: false }
const COUNT: NumberRange = { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true }

/** Every field except `tags.<name>` and `evaluator.<id>.score|passed`, with what it holds. */
export const fields: Readonly<Record<string, Field>> = {
  'prompt.text': { type: 'prose', meaning: 'what the end user wrote' },
  'prompt.length': { type: 'number', meaning: 'its length in characters', range: COUNT },
  'response.text': { type: 'prose', meaning: 'what the agent answered' },
  answered: { type: 'boolean', meaning: 'whether the agent had an answer' },
  'retrieval.score': {
    type: 'number',
    meaning: 'how well the best passage of the knowledge fits, 0 to 1',
    range: SHARE,
  },
  finish_reason: { type: 'text', meaning: 'why the response ended, such as stop' },
  message_count: { type: 'number', meaning: 'messages of the conversation so far', range: COUNT },
  language: { type: 'text', meaning: "the prompt's language as ISO 639-1, such as en" },
  'page.url': { type: 'text', meaning: 'the address of the page on which the prompt was written' },
  'page.path': { type: 'text', meaning: 'the path of that address' },
  channel: { type: 'number', meaning: 'id of the channel that the prompt came through', range: COUNT },
  platform: { type: 'text', meaning: "the channel's kind, such as helpdesk" },
  'user.is_new': { type: 'boolean', meaning: 'whether the agent sees this end user for the first time' },
  started_by: { type: 'text', meaning: 'who began the conversation' },
  hour: {
    type: 'number',
    meaning: "hour of the day in the agent's time zone, 0 to 23",
    range: { least: 0, most: 23, isWhole: true },
  },
  weekday: {
    type: 'weekday',
    meaning: "day of the week in the agent's time zone, 1 (Monday) to 7, or its English name",
  },
  within_hours: {
    type: 'boolean',
    meaning: 'whether people are there, by the hours of the group or the agent',
  },
}

const TAG = 'tags.'
const LONGEST_TAG = 64
const EVALUATOR = /^evaluator\.([1-9]\d{0,14})\.(score|passed)$/

/** Returns the type of a field; null when there is no such field. */
export function fieldType(field: string): FieldType | null {
  if (Object.hasOwn(fields, field)) return fields[field]?.type ?? null
  if (field.startsWith(TAG)) return isTagName(field.slice(TAG.length)) ? 'any' : null
  const [, , result] = EVALUATOR.exec(field) ?? []
  return result === undefined ? null : result === 'score' ? 'number' : 'boolean'
}

/** The range of a field's numbers; null when they may be any. */
export function rangeOf(field: string): NumberRange | null {
  if (EVALUATOR.exec(field)?.[2] === 'score') return SHARE
  return (Object.hasOwn(fields, field) && fields[field]?.range) || null
}

function isTagName(name: string): boolean {
  return name !== '' && name.length <= LONGEST_TAG
}

/** The id of the evaluator whose result a field holds, or null. */
export function evaluatorOf(field: string): number | null {
  const [, id] = EVALUATOR.exec(field) ?? []
  return id === undefined ? null : Number(id)
}

const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte']
const TEXT: readonly Operator[] = ['contains', 'contains_any', 'matches', 'starts_with']
const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in', 'exists']

/** The operators that make sense for each type of field. */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  prose: [...EQUALITY, ...TEXT],
  text: [...EQUALITY, ...TEXT],
  number: [...EQUALITY, ...ORDER],
  boolean: ['eq', 'neq', 'exists'],
  weekday: [...EQUALITY, ...ORDER],
  any: [...EQUALITY, ...TEXT, ...ORDER],
}
