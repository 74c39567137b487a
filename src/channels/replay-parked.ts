import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { unpark } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'
import { reopenCompletion } from '../transcripts/completions/fail-completion.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import type { Channel } from './channel.ts'
import { type ParkedItem, selectParkedItem } from './parked-items.ts'

/**
 * Puts a parked item back into its mailbox, with all its attempts. A message is then not sent as a reply. It keeps its
 * retry key, so that a platform that recognizes repeats sends it only once.
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
    const item = foundOr(await selectParkedItem(db, channel.id, itemId), 'item_not_found')
    if (!(await workAgain(db, item, now))) throw new ApiError('item_not_found')
    if (item.completion_id) await reopenCompletion(db, item.completion_id)
    const delivery = item.kind === 'send' ? ('queued' as const) : null
    if (delivery && item.message_id !== null) await markDelivery(db, item.message_id, delivery)
    const act = { ...by, agentId: channel.agentId, at: now, target: `parked item ${itemId}` }
    await record(db, { ...act, action: 'item.replayed', details: { channel_id: channel.id } })
    return { ...item, attempts: 0, error: null, finished_at: null, delivery }
  })
}

/** Puts a parked item back into its mailbox, with all its attempts. Returns false if it is parked no longer. */
export function workAgain(
  db: Kysely<Tables>,
  item: Pick<ParkedItem, 'id' | 'mailbox_id'>,
  now: string,
): Promise<boolean> {
  return unpark(db, item, now, { attempts: 0, reply_token: null, due_at: now })
}
