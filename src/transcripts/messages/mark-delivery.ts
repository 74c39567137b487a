import type { Kysely } from 'kysely'
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
