import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { DeliveryStatus } from '../tables.ts'

const update = prepared(
  (db, param: ParamOf<{ id: number; delivery: DeliveryStatus | null; delivery_reason: string | null }>) =>
    db
      .updateTable('messages')
      .set({ delivery: param('delivery'), delivery_reason: param('delivery_reason') })
      .where('id', '=', param('id')),
)

/** Writes down what became of a message on its channel. @param reason a DeliveryReason, of what failed or is unknown */
export async function markDelivery(
  db: Kysely<Tables>,
  messageId: number,
  delivery: DeliveryStatus | null,
  reason: string | null = null,
): Promise<void> {
  await update(db, { id: messageId, delivery, delivery_reason: reason })
}
