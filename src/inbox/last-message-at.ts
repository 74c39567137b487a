import { type RawBuilder, sql } from 'kysely'

/**
 * Returns SQL for the time of the last message in a conversation.
 * @param conversation the column of the outer query that holds the conversation's id
 */
export function lastMessageAt(conversation: string): RawBuilder<string | null> {
  return sql`(select last_message_at from inbox_rows where conversation_id = ${sql.ref(conversation)})`
}
