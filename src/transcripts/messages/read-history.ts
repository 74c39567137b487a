import type { Kysely } from 'kysely'
import type { ModelMessage } from '../../model/model.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectNewestMessages } from '../conversations/store.ts'
import type { MessageRow } from '../tables.ts'
import { asModelMessage } from './as-model-message.ts'

/** What was said in a conversation before a prompt, as a model reads it. */
export interface History {
  messages: ModelMessage[]
  /** Whether the agent was paused or a person answered since its last answer. */
  interrupted: boolean
  /** Whether any message is marked as a person's or the service's own. */
  hasMarks: boolean
}

/**
 * The newest stored messages of a conversation, oldest first, as a model reads them: without answers that their user
 * never saw.
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
  const isMarked = rows.map(({ role }) => role === 'operator' || role === 'transition')
  return {
    messages: withoutRepeats(rows).map(asModelMessage),
    interrupted: isMarked.slice(lastAnswer + 1).includes(true),
    hasMarks: isMarked.includes(true),
  }
}

/** A pause says the same in answer to every prompt: models read it once, until the agent answers again. */
function withoutRepeats(rows: MessageRow[]): MessageRow[] {
  let said: string | null = null
  return rows.filter(({ role, content }) => {
    if (role === 'assistant') said = null
    if (role !== 'transition') return true
    const isRepeat = content === said
    said = content
    return !isRepeat
  })
}

/**
 * Stored messages with none but whole tool calls, each answered right behind it: model servers refuse others. The limit
 * cuts off calls, streams break within them, and users ask something else in place of an answer.
 * @param sent the request's own messages, which may answer the last call; they stay as they are
 */
export function withWholeToolCalls(stored: ModelMessage[], sent: ModelMessage[]): ModelMessage[] {
  // Clients that send their system message every time may have it before the results.
  const all = [...stored, ...sent.filter(({ role }) => role !== 'system')]
  const answers = new Set<ModelMessage | undefined>()
  return stored.flatMap((message, at) => {
    if (message.role === 'tool') return answers.has(message) ? [message] : []
    const { tool_calls, ...said } = message
    if (!tool_calls?.length) return [said]
    const results = resultsFrom(all, at + 1)
    if (!tool_calls.every(({ id }) => results.has(id))) return said.content?.length ? [said] : []
    for (const { id } of tool_calls) answers.add(results.get(id))
    return [message]
  })
}

/** The tool results from a place on, by their calls: the newest of each, since clients repeat them after a failure. */
function resultsFrom(messages: ModelMessage[], start: number): Map<string | undefined, ModelMessage> {
  const end = messages.findIndex(({ role }, at) => at >= start && role !== 'tool')
  const results = messages.slice(start, end < 0 ? messages.length : end)
  return new Map(results.map((result) => [result.tool_call_id, result]))
}
