import { isEncoded, redactField, redactJson } from './redact-json.ts'

/** Fields of content parts and tool calls that name things of the protocol or hold encoded data. */
const LEFT_ALONE = new Set([
  ...['type', 'id', 'role', 'index', 'tool_call_id', 'call_id', 'file_id', 'detail', 'format', 'status'],
  ...['mime_type', 'media_type', 'cache_control', 'data', 'file_data', 'b64_json'],
])

type Container = Record<string, unknown> | unknown[]

/**
 * Redacts what a message can hold: a string, content parts, tool calls with their arguments, tool results.
 * A string that is a JSON object or array is redacted value by value and stays JSON; another one as text. Encoded data
 * (`data:` URLs, audio, files), ids and the names of tools stay. The value given is not changed.
 * `redactText` is called once for each text, in an order that the value alone decides.
 */
export function redactContent(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactString(value, redactText)
  if (!isContainer(value)) return value
  const whole = copy(value)
  const pending: Container[] = [whole]
  // A list of what is still to do instead of recursion: nesting is as deep as whoever wrote it liked.
  for (let container = pending.pop(); container; container = pending.pop()) {
    const fields = container as Record<string, unknown>
    const isToolFunction = typeof fields.name === 'string' && ('arguments' in fields || 'input' in fields)
    for (const key of Object.keys(fields)) {
      if (LEFT_ALONE.has(key) || (isToolFunction && key === 'name')) continue
      const field = fields[key]
      if (typeof field === 'string') fields[key] = redactString(field, redactText)
      else if (typeof field === 'number') fields[key] = redactNumber(key, field, redactText)
      else if (isContainer(field)) {
        const inner = copy(field)
        fields[key] = inner
        pending.push(inner)
      }
    }
  }
  return whole
}

const JSON_START = /^\s{0,100}[{[]/

function redactString(text: string, redactText: (text: string) => string): string {
  if (text === '' || isEncoded(text)) return text
  return (JSON_START.test(text) ? redactJson(text, redactText) : undefined) ?? redactText(text)
}

function redactNumber(key: string, value: number, redactText: (text: string) => string): number | string {
  const text = String(value)
  const redacted = redactField(key, text, redactText)
  return redacted === text ? value : redacted
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function copy(container: Container): Container {
  return Array.isArray(container) ? [...container] : { ...container }
}
