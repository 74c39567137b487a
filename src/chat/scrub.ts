import type { ToolCall } from '../model/model.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { RedactableValue, ValueRedactor } from './redact-completions.ts'

/** Replaces every text with one placeholder, whatever it says. Empty texts and absent ones stay as they are. */
export const scrub: ValueRedactor & { now: (value: RedactableValue) => unknown } = {
  mode: 'scrub',
  now: scrubValue,
  redact: async (values) => ({ values: values.map(scrubValue), complete: true }),
}

function scrubValue({ kind, value }: RedactableValue): unknown {
  if (value === null || value === '') return value
  return kind === 'tool_calls' ? (value as ToolCall[]).map(scrubToolCall) : SCRUBBED
}

/** Which function was called stays; what with does not. Arguments stay JSON, as models expect them. */
function scrubToolCall(call: ToolCall): ToolCall {
  return { ...call, function: { name: call.function.name, arguments: JSON.stringify(SCRUBBED) } }
}
