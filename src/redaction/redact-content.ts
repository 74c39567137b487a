import { placeholderOfField, textForPart, withoutData } from './encoded-data.ts'
import { redactField, redactJson, redactKey } from './redact-json.ts'

/**
 * Fields of content parts whose values are words of the protocol. A value is kept only if it looks like such a word.
 */
const PROTOCOL_FIELDS = new Set([
  ...['type', 'role', 'detail', 'format', 'status', 'mime_type', 'media_type'],
])
const PROTOCOL_WORD = /^[a-z][a-z_./+-]{0,63}$/

type Container = Record<string, unknown> | unknown[]

/**
 * Redacts the content of a message: a string, content parts, tool calls with their arguments, tool results. A string
 * that is a JSON object or array is redacted value by value and stays JSON; any other string is redacted as text. Keys
 * are redacted too. Placeholders for their kinds replace pictures, sounds and files; words of the protocol stay. The
 * value passed in is not changed.
 * @param isKept tells which parts stay as they are
 */
export function redactContent(
  value: unknown,
  redactText: (text: string) => string,
  isKept: (part: object) => boolean = () => false,
): unknown {
  if (typeof value === 'string') return redactString(value, redactText)
  if (!isContainer(value)) return value
  const whole = copy(value)
  const pending: Container[] = [whole]
  // Uses a list instead of recursion, because the sender decides how deep the value is nested.
  for (let container = pending.pop(); container; container = pending.pop()) {
    const fields = container as Record<string, unknown>
    for (const key of Object.keys(fields)) {
      const field = fields[key]
      if (isContainer(field) && isKept(field)) continue
      const redacted = redactValue(key, field, redactText)
      if (isContainer(redacted)) pending.push(redacted)
      const name = Array.isArray(container) ? key : redactKey(key, redactText)
      if (name !== key) delete fields[key]
      fields[name] = redacted
    }
  }
  return whole
}

/** Returns a redacted value. Objects and arrays are copied, and their values are redacted later. */
function redactValue(key: string, value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'number') return redactNumber(key, value, redactText)
  if (isContainer(value)) return textForPart(value) ?? copy(value)
  if (typeof value !== 'string' || (PROTOCOL_FIELDS.has(key) && PROTOCOL_WORD.test(value))) return value
  return placeholderOfField(key, value) ?? redactString(value, redactText)
}

const JSON_START = /^\s{0,100}[{[]/

/** Redacts a text. If it is a JSON object or array, redacts its values. */
export function redactString(text: string, redactText: (text: string) => string): string {
  if (text === '') return text
  return (JSON_START.test(text) ? redactJson(text, redactText) : undefined) ?? redactText(withoutData(text))
}

function redactNumber(key: string, value: number, redactText: (text: string) => string): number | string {
  const text = String(value)
  const redacted = redactField([key], text, redactText)
  return redacted === text ? value : redacted
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function copy(container: Container): Container {
  return Array.isArray(container) ? [...container] : { ...container }
}
