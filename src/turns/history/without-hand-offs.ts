import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { ModelMessage, ToolCall } from '../../model/model.ts'

/**
 * Removes calls for a person from earlier turns: people have been there since, and a model that reads such a call may
 * think that its work is over. What the model said to the user stays.
 */
export function withoutHandOffs(messages: readonly ModelMessage[]): ModelMessage[] {
  /** The calls for a person among the last calls, by whose ids their results are known: later calls may repeat them. */
  let asked: (string | undefined)[] = []
  return messages.flatMap((message) => {
    if (message.role === 'tool') return asked.includes(message.tool_call_id) ? [] : [message]
    const { tool_calls, ...said } = message
    if (!tool_calls) return [message]
    asked = tool_calls.filter(asksForPerson).map(({ id }) => id)
    if (asked.length === 0) return [message]
    const others = tool_calls.filter((call) => !asksForPerson(call))
    if (others.length > 0) return [{ ...said, tool_calls: others }]
    return said.content?.length ? [said] : []
  })
}

function asksForPerson({ function: { name } }: ToolCall): boolean {
  return name === REQUEST_PERSON
}
