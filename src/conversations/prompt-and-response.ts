import type { MessageContent } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { MessageRow } from '../storage/tables.ts'

type Said = Pick<MessageRow, 'role' | 'content'>

/**
 * The response is the last thing said on the agent's side once the completion is answered; the prompt is what users
 * said before it, after any earlier assistant message that the client sent along. Derived, so that no copy can
 * escape a redaction.
 */
export function promptAndResponse(messages: readonly Said[], answered: boolean) {
  const end = answered
    ? messages.findLastIndex(({ role }) => role === 'assistant' || role === 'transition')
    : -1
  const response = messages[end]
  const sent = response ? messages.slice(0, end) : messages
  const asked = sent
    .slice(sent.findLastIndex((message) => message.role === 'assistant') + 1)
    .filter((message) => message.role === 'user')
  return {
    prompt: asked.length > 0 ? asked.map(textOf).join('\n') : null,
    response: response ? textOf(response) : null,
  }
}

function textOf(row: Said): string {
  return textOfContent(JSON.parse(row.content) as MessageContent)
}
