import type { Kysely } from 'kysely'
import { textOfContent } from '../model/text-of-content.ts'
import type { Tables } from '../storage/tables.ts'
import { ratedConversations } from '../transcripts/doors/by-filter.ts'
import { messagesWithIds } from '../transcripts/messages/find-message.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'
import type { Candidate } from './filters.ts'

/** The number of characters of the last message that a row shows. */
const SHOWN = 200

/** A conversation as the inbox shows it. */
interface InboxItem {
  conversation: ConversationRow
  /** 1 to 5. */
  rating: number | null
  last: { id: number; role: MessageRow['role']; content: string; created_at: string } | null
}

/** Reads conversations as the inbox shows them, in the given order. Texts come from the messages: no copy is kept. */
export async function readInboxItems(
  db: Kysely<Tables>,
  rows: readonly Candidate[],
): Promise<Map<string, InboxItem>> {
  if (rows.length === 0) return new Map()
  const conversations = await ratedConversations(
    db,
    rows.map(({ conversation_id }) => conversation_id),
  )
  const messages = await messagesWithIds(
    db,
    rows.map(({ last_message_id }) => last_message_id),
  )
  const messageById = new Map(messages.map((message) => [message.id, message]))
  const lastOf = new Map(rows.map((row) => [row.conversation_id, messageById.get(row.last_message_id)]))
  return new Map(
    conversations.map(({ rating, ...conversation }) => {
      const last = lastOf.get(conversation.id)
      const shown = last && { ...last, content: beginningOf(last.content) }
      return [conversation.id, { conversation, rating, last: shown ?? null }]
    }),
  )
}

/** Returns the first characters of a stored content. */
function beginningOf(content: string): string {
  const text = textOfContent(JSON.parse(content))
  return [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('')
}
