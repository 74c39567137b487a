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
