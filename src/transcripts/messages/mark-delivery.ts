import { type Kysely, sql } from 'kysely'
import { changed } from '../../events/changes.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { DeliveryStatus } from '../tables.ts'

const update = prepared(
  (db, param: ParamOf<{ id: number; delivery: DeliveryStatus | null; delivery_reason: string | null }>) =>
    db
      .updateTable('messages')
      .set({ delivery: param('delivery'), delivery_reason: param('delivery_reason') })
      .where('id', '=', param('id'))
      .returning(['agent_id', 'conversation_id']),
)

/**
 * Stores the delivery status of a message, within a transaction.
 * @param reason a DeliveryReason, if the delivery failed or its outcome is unknown
 */
export async function markDelivery(
  db: Kysely<Tables>,
  messageId: number,
  delivery: DeliveryStatus | null,
  reason: string | null = null,
): Promise<void> {
  const [row] = await update(db, { id: messageId, delivery, delivery_reason: reason })
  if (row) changed(db, { type: 'message_changed', ...row, message_id: messageId })
}

/** A mail in which messages of a widget's conversation went to an address. */
interface Mailed {
  /** Null: the address is forgotten. */
  to: string | null
  at: string
}

/** Stores that a message went by mail, and what became of it, within a transaction. */
export async function markMailed(
  db: Kysely<Tables>,
  messageId: number,
  { to, at }: Mailed,
  delivery: DeliveryStatus,
  reason: string | null = null,
): Promise<void> {
  await db
    .updateTable('messages')
    // A redacted message does not get its address back.
    .set({
      mailed_at: at,
      mailed_to: sql<string | null>`case when redacted is null then cast(${to} as text) end`,
    })
    .where('id', '=', messageId)
    .execute()
  await markDelivery(db, messageId, delivery, reason)
}

/** Reads the messages that went in the same mail as one, without it; none if it went by no mail. */
export async function selectMailedWith(db: Kysely<Tables>, messageId: number | null): Promise<number[]> {
  if (messageId === null) return []
  const rows = await db
    .selectFrom('messages as one')
    .innerJoin('messages', 'messages.conversation_id', 'one.conversation_id')
    .select('messages.id')
    .where('one.id', '=', messageId)
    .whereRef('messages.mailed_at', '=', 'one.mailed_at')
    .whereRef('messages.id', '!=', 'one.id')
    .orderBy('messages.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The most messages that one statement marks. */
const MARKED_AT_ONCE = 1000

/** Stores that messages will not be sent, within a transaction. */
export async function markHeldBack(db: Kysely<Tables>, messageIds: readonly number[]): Promise<void> {
  const sorted = messageIds.toSorted((a, b) => a - b)
  for (let from = 0; from < sorted.length; from += MARKED_AT_ONCE) {
    const rows = await db
      .updateTable('messages')
      .set({ delivery: null, delivery_reason: null })
      .where('id', 'in', sorted.slice(from, from + MARKED_AT_ONCE))
      .returning(['id', 'agent_id', 'conversation_id'])
      .execute()
    for (const { id, ...row } of rows) changed(db, { type: 'message_changed', ...row, message_id: id })
  }
}

/** The most messages before a newly read one that are looked at. */
const READ_AT_ONCE = 200

/**
 * Stores that the person has seen what was sent in a conversation, within a transaction.
 * @param seen the last message that was seen, or the time until which all were
 */
export async function markRead(
  db: Kysely<Tables>,
  conversationId: string,
  { upTo, until }: { upTo: number | null; until: string | null },
): Promise<void> {
  const seen = db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .$if(upTo !== null, (query) => query.where('id', '<=', upTo))
    .$if(until !== null, (query) => query.where('created_at', '<=', until as string))
    .orderBy('id', 'desc')
    .limit(READ_AT_ONCE)
  const rows = await db
    .updateTable('messages')
    .set({ delivery: 'read' })
    .where('id', 'in', seen)
    .where('delivery', '=', 'sent')
    .returning(['id', 'agent_id'])
    .execute()
  for (const { id, agent_id } of rows)
    changed(db, { type: 'message_changed', agent_id, conversation_id: conversationId, message_id: id })
}
