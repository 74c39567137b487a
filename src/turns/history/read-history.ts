import type { Kysely } from 'kysely'
import type { ModelMessage } from '../../model/model.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectNewestMessages } from '../../transcripts/messages/store.ts'
import type { MessageRow } from '../../transcripts/tables.ts'
import { asModelMessage } from './as-model-message.ts'
import { readSummary } from './summary-store.ts'

/** The messages of a conversation before a prompt, as a model reads them. */
export interface History {
  messages: ModelMessage[]
  /** True if the agent was paused or a person answered since its last answer. */
  interrupted: boolean
  /** True if any message is marked as said by a person or the service. */
  hasMarks: boolean
  /** A summary of what was said before these messages; null: there is none, or it is not told. */
  summary: string | null
  /** True if there may be older messages, which neither the messages nor the summary hold. */
  isCut: boolean
}

/** The history of a conversation without earlier messages. */
export const NO_HISTORY: History = {
  messages: [],
  interrupted: false,
  hasMarks: false,
  summary: null,
  isCut: false,
}

/**
 * Reads the newest stored messages of a conversation, oldest first, as a model reads them. Leaves out answers that the
 * end user never saw, and what the conversation's summary covers.
 * @param before id of a message: only messages before it are read
 */
export async function readHistory(
  db: Kysely<Tables>,
  conversationId: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<History> {
  if (limit === 0) return NO_HISTORY
  const [summary, newestFirst] = await Promise.all([
    readSummary(db, conversationId),
    selectNewestMessages(db, { conversation_id: conversationId, after: 0, before, limit }),
  ])
  const coveredId = summary?.coveredId ?? 0
  const rows = newestFirst.filter(({ id }) => id > coveredId).reverse()
  const lastAnswer = rows.findLastIndex((row) => row.role === 'assistant')
  const isMarked = rows.map(({ role }) => role === 'operator' || role === 'transition')
  return {
    messages: withoutRepeats(rows).map(asModelMessage),
    interrupted: isMarked.slice(lastAnswer + 1).includes(true),
    hasMarks: isMarked.includes(true),
    summary: summary?.text ?? null,
    isCut: rows.length === limit,
  }
}

/** Leaves out repeated pause messages: models read one, until the agent answers again. */
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
