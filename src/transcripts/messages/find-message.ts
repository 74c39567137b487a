import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { MessageRow } from '../tables.ts'

/** Finds the message of a conversation with this id. */
export async function findMessage(
  db: Kysely<Tables>,
  conversationId: string,
  id: number,
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
}

/** Reads messages by id, in any order. */
export async function messagesWithIds(db: Kysely<Tables>, ids: readonly number[]) {
  return db
    .selectFrom('messages')
    .select(['id', 'role', 'content', 'created_at'])
    .where('id', 'in', ids)
    .execute()
}
