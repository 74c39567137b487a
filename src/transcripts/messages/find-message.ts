import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow, MessageRow } from '../tables.ts'
import { areSpoken } from './spoken-roles.ts'

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

/** Locks a message, and tells whether its text is still the one that was read. */
export async function lockUnchanged(
  db: Kysely<Tables>,
  { id, content }: Pick<MessageRow, 'id' | 'content'>,
): Promise<boolean> {
  const present = await db
    .selectFrom('messages')
    .select('content')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return present?.content === content
}

/** Reads the conversation of a message, and tells whether the message is the first one in it. */
export async function conversationOfMessage(
  db: Kysely<Tables>,
  messageId: number,
): Promise<{ conversation: ConversationRow; isNew: boolean } | null> {
  const conversation = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('conversations')
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
  if (!conversation) return null
  const first = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversation.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { conversation, isNew: first?.id === messageId }
}

/** Returns the time of the last message of a conversation, or of the last one in a role; null: there is none. */
export async function timeOfLastMessage(
  db: Kysely<Tables>,
  conversationId: string,
  role?: MessageRow['role'],
): Promise<string | null> {
  const last = await db
    .selectFrom('messages')
    .select('created_at')
    .where('conversation_id', '=', conversationId)
    .$if(role !== undefined, (messages) => messages.where('role', '=', role as MessageRow['role']))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.created_at ?? null
}

/** Returns the ids of the last messages that people or the agent wrote in a conversation, the newest first. */
export async function lastSpoken(
  db: Kysely<Tables>,
  conversationId: string,
  count: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where(areSpoken)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}

/** Reads messages by id, in any order. */
export async function messagesWithIds(db: Kysely<Tables>, ids: readonly number[]) {
  // PostgreSQL takes no empty list.
  if (ids.length === 0) return []
  return db
    .selectFrom('messages')
    .select(['id', 'role', 'content', 'created_at'])
    .where('id', 'in', ids)
    .execute()
}
