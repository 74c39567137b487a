import type { ToolCall } from '../model/model.ts'
import type { ValueRedactor } from './redact-completions.ts'

const PLACEHOLDER = '[REDACTED]'

/** Replaces every text with one placeholder, whatever it says. Empty texts and absent ones stay as they are. */
export const scrub: ValueRedactor = {
  mode: 'scrub',
  async redact(values) {
    return {
      values: values.map(({ kind, value }) => (kind === 'tool_calls' ? scrubToolCalls(value) : scrubValue(value))),
      complete: true,
    }
  },
}

export function scrubValue<T>(value: T): T | typeof PLACEHOLDER {
  return value === null || value === '' ? value : PLACEHOLDER
}

/** Which function was called stays; what with does not. Arguments stay JSON, as models expect them. */
export function scrubToolCalls(value: unknown): ToolCall[] | null {
  if (!Array.isArray(value)) return null
  return (value as ToolCall[]).map((call) => ({
    ...call,
    function: { name: call.function.name, arguments: JSON.stringify(PLACEHOLDER) },
  }))
}
