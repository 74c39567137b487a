import { type Kysely, type RawBuilder, sql } from 'kysely'
import { invalidField } from '../errors.ts'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { findMessage, lastSpoken } from '../transcripts/messages/find-message.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

type Named = Pick<ConversationRow, 'id' | 'agent_id'>

/**
 * Stores the last message of a conversation that an operator has read. A message earlier than before makes the later
 * ones unread again.
 * @param messageId a message of the conversation; 0: none is read
 * @throws ApiError invalid_request for a message of another conversation
 */
export async function markRead(
  db: Kysely<Tables>,
  conversation: Named,
  operatorId: number,
  messageId: number,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const isKnown = messageId === 0 || (await findMessage(db, conversation.id, messageId)) !== undefined
    if (!isKnown) throw invalidField('message_id', 'is no message of this conversation')
    await setReadMark(db, conversation, operatorId, messageId)
  })
}

/** Stores the last message that an operator has read: one that is known to belong to the conversation. */
export async function setReadMark(
  db: Kysely<Tables>,
  { id: conversation_id, agent_id }: Named,
  operator_id: number,
  message_id: number,
): Promise<void> {
  await db
    .insertInto('read_marks')
    .values({ conversation_id, operator_id, agent_id, message_id })
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'operator_id']).doUpdateSet({ message_id }),
    )
    .execute()
  changed(db, { type: 'conversation', agent_id, conversation_id, fields: ['read'] })
}

/** Makes the last message of a conversation unread for everybody who has read it, within a transaction. */
export async function markUnread(
  db: Kysely<Tables>,
  { id: conversation_id, agent_id }: Named,
): Promise<void> {
  const [last = 0, before = 0] = await lastSpoken(db, conversation_id, 2)
  await db
    .updateTable('read_marks')
    .set({ message_id: before })
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '>=', last)
    .execute()
  changed(db, { type: 'conversation', agent_id, conversation_id, fields: ['read'] })
}

/** Finds out which of some people have read a conversation up to a message. */
export async function readersOf(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  people: readonly number[],
): Promise<number[]> {
  if (people.length === 0) return []
  const rows = await db
    .selectFrom('read_marks')
    .select('operator_id')
    .where('conversation_id', '=', conversationId)
    .where('operator_id', 'in', people)
    .where('message_id', '>=', messageId)
    .execute()
  return rows.map(({ operator_id }) => operator_id)
}

/**
 * Returns SQL for the last message of a conversation that an operator has read; null without a read mark.
 * @param conversation the column of the outer query that holds the conversation's id
 */
export function readMark(conversation: string, operatorId: number): RawBuilder<number | null> {
  return sql`(select message_id from read_marks
    where read_marks.conversation_id = ${sql.ref(conversation)} and operator_id = ${operatorId})`
}
