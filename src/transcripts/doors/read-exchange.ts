import type { Kysely } from 'kysely'
import type { Citation, MessageContent, ToolCall } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectMessagesOf, selectNewestMessages } from '../messages/store.ts'
import { responseRow } from '../prompt-and-response.ts'
import type { CompletionRow, MessageRow } from '../tables.ts'

/** A prompt with what was said before it, and its answer. */
export interface Exchange {
  messages: {
    role: 'system' | 'user' | 'assistant'
    content: string
    /** The completion to which it belongs; null: it was said unprompted. */
    completionId: string | null
  }[]
  citations: Citation[]
  /** The calls of the agent's own tools, with their results. */
  calls: { name: string; arguments: string; result: string }[]
}

/**
 * Reads a completion with what was said before it in its conversation, as a model would read it.
 * @param limit the number of messages before the prompt
 */
export async function readExchange(
  db: Kysely<Tables>,
  completion: CompletionRow,
  limit: number,
): Promise<Exchange> {
  const rows = await selectMessagesOf(db, [completion.id])
  const response = completion.answered_at === null ? undefined : responseRow(rows)
  const before = rows[0]?.id ?? Number.MAX_SAFE_INTEGER
  const { conversation_id } = completion
  const earlier = (await selectNewestMessages(db, { conversation_id, after: 0, before, limit })).reverse()
  const asked = rows.filter(({ id, round }) => round === null && (!response || id < response.id))
  return {
    messages: [...earlier, ...asked].flatMap(said),
    citations: completion.citations === null ? [] : (JSON.parse(completion.citations) as Citation[]),
    calls: callsOf(rows.filter(({ round }) => round !== null)),
  }
}

/** Presents a message as a test says it. Leaves out calls of tools, their results and announcements of the service. */
function said(row: MessageRow): Exchange['messages'] {
  const { role, round, completion_id: completionId } = row
  if (round !== null || role === 'tool' || role === 'transition') return []
  const content = textOfContent(JSON.parse(row.content) as MessageContent)
  if (content === '') return []
  return [{ role: role === 'operator' ? 'assistant' : role, content, completionId }]
}

/** Pairs calls with their results within each round: some servers give the same ids in every round. */
function callsOf(rows: readonly MessageRow[]): Exchange['calls'] {
  return rows.flatMap(({ round, tool_calls }) => {
    const calls = tool_calls === null ? [] : (JSON.parse(tool_calls) as ToolCall[])
    return calls.map(({ id, function: { name, arguments: args } }) => {
      const row = rows.find((row) => row.round === round && row.tool_call_id === id)
      const result = textOfContent(JSON.parse(row?.content ?? 'null') as MessageContent)
      return { name, arguments: args, result }
    })
  })
}
