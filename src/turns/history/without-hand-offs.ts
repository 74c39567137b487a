import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { ModelMessage } from '../../model/model.ts'

/**
 * Removes calls for a person from earlier turns: people have been there since, and a model that reads such a call may
 * think that its work is over. What the model said to the user stays.
 */
export function withoutHandOffs(messages: ModelMessage[]): ModelMessage[] {
  const asked = new Set(
    messages.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).filter(({ function: { name } }) => name === REQUEST_PERSON).map(({ id }) => id),
    ),
  )
  if (asked.size === 0) return messages
  return messages.flatMap((message) => {
    if (message.role === 'tool') return asked.has(message.tool_call_id ?? '') ? [] : [message]
    const { tool_calls, ...said } = message
    const others = tool_calls?.filter(({ id }) => !asked.has(id)) ?? []
    if (others.length > 0) return [{ ...said, tool_calls: others }]
    return said.content?.length ? [said] : []
  })
}
