import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { makeDue, updateItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'
import { reopenCompletion } from '../transcripts/completions/fail-completion.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import type { Channel } from './channel.ts'
import { type ParkedItem, selectParkedItem } from './store.ts'

/**
 * Puts a parked item back into its mailbox, with all its tries. A message goes out unasked then, under the retry key that
 * it had: the platform takes it once.
 * @throws ApiError item_not_found
 */
export async function replayParked(
  db: Kysely<Tables>,
  channel: Channel,
  itemId: number,
  now: string,
  by: TeamBy,
): Promise<ParkedItem> {
  return db.transaction().execute(async (db) => {
    const item = await selectParkedItem(db, channel.id, itemId)
    if (!item) throw new ApiError('item_not_found')
    await makeDue(db, { id: item.mailbox_id, due_at: now })
    await updateItems(db, [item.id], {
      state: 'waiting',
      attempts: 0,
      reply_token: null,
      due_at: now,
      finished_at: null,
      error: null,
    })
    if (item.completion_id) await reopenCompletion(db, item.completion_id)
    const delivery = item.kind === 'send' ? ('queued' as const) : null
    if (delivery && item.message_id !== null) await markDelivery(db, item.message_id, delivery)
    const act = { ...by, agentId: channel.agentId, at: now, target: `parked item ${itemId}` }
    await record(db, { ...act, action: 'item.replayed', details: { channel_id: channel.id } })
    return { ...item, attempts: 0, error: null, finished_at: null, delivery }
  })
}
