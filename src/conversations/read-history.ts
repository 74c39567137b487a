import type { Kysely } from 'kysely'
import type { MessageContent, ModelMessage, ToolCall } from '../model/model.ts'
import { splitRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { MessageRow, Tables } from '../storage/tables.ts'
import { selectNewestMessages } from './store.ts'

/** What was said in a conversation before a prompt, as a model reads it. */
export interface History {
  messages: ModelMessage[]
  /** Whether the agent was paused or a person answered since its last answer. */
  interrupted: boolean
}

/**
 * The newest stored messages of a conversation, oldest first, as a model reads them.
 * @param before the id of a message: only those stored before it
 */
export async function readHistory(
  db: Kysely<Tables>,
  conversationId: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<History> {
  const newestFirst =
    limit > 0 ? await selectNewestMessages(db, { conversation_id: conversationId, before, limit }) : []
  const rows = newestFirst.reverse()
  const lastAnswer = rows.findLastIndex((row) => row.role === 'assistant')
  return {
    messages: withWholeToolCalls(rows.map(toModelMessage)),
    interrupted: rows
      .slice(lastAnswer + 1)
      .some((row) => row.role === 'operator' || row.role === 'transition'),
  }
}

/** People's answers and transition messages were said on the agent's side, and models know no such roles. */
export function toModelMessage(row: MessageRow): ModelMessage {
  const role = row.role === 'operator' || row.role === 'transition' ? 'assistant' : row.role
  const content = JSON.parse(row.shown_as ?? row.content) as MessageContent
  return {
    role,
    // Not every model server takes OpenAI's part for a refusal.
    content: splitRefusal(content).refusal === null ? content : textOfContent(content),
    ...(row.tool_calls === null ? {} : { tool_calls: JSON.parse(row.tool_calls) as ToolCall[] }),
    ...(row.tool_call_id === null ? {} : { tool_call_id: row.tool_call_id }),
  }
}

/** Model servers refuse a tool result without its call, which the limit may have cut off. */
function withWholeToolCalls(messages: ModelMessage[]): ModelMessage[] {
  const called = new Set(messages.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? []))
  return messages.filter((message) => message.role !== 'tool' || called.has(message.tool_call_id ?? ''))
}
