import type { Kysely } from 'kysely'
import { reopenCompletion } from '../chat/fail-completion.ts'
import { ApiError } from '../errors.ts'
import { makeDue, updateItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'
import type { Channel } from './channel.ts'
import { type ParkedItem, selectParkedItem } from './store.ts'

/**
 * Puts a parked item back into its mailbox, with all its tries.
 * @throws ApiError item_not_found
 */
export async function replayParked(
  db: Kysely<Tables>,
  channel: Channel,
  itemId: number,
  now: string,
): Promise<ParkedItem> {
  return db.transaction().execute(async (db) => {
    const item = await selectParkedItem(db, channel.id, itemId)
    if (!item) throw new ApiError('item_not_found')
    await makeDue(db, { id: item.mailbox_id, due_at: now })
    await updateItems(db, [item.id], {
      state: 'waiting',
      attempts: 0,
      due_at: now,
      finished_at: null,
      error: null,
    })
    if (item.completion_id) await reopenCompletion(db, item.completion_id)
    return { ...item, attempts: 0, error: null, finished_at: null }
  })
}
