import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr } from '../errors.ts'
import { makeDue, updateItems } from '../mailboxes/items.ts'
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
    await workAgain(db, item, now)
    if (item.completion_id) await reopenCompletion(db, item.completion_id)
    const delivery = item.kind === 'send' ? ('queued' as const) : null
    if (delivery && item.message_id !== null) await markDelivery(db, item.message_id, delivery)
    const act = { ...by, agentId: channel.agentId, at: now, target: `parked item ${itemId}` }
    await record(db, { ...act, action: 'item.replayed', details: { channel_id: channel.id } })
    return { ...item, attempts: 0, error: null, finished_at: null, delivery }
  })
}

/** Puts a parked item back into its mailbox, within a transaction. */
export async function workAgain(
  db: Kysely<Tables>,
  item: Pick<ParkedItem, 'id' | 'mailbox_id'>,
  now: string,
): Promise<void> {
  await makeDue(db, { id: item.mailbox_id, due_at: now })
  await updateItems(db, [item.id], {
    state: 'waiting',
    attempts: 0,
    reply_token: null,
    due_at: now,
    finished_at: null,
    error: null,
  })
}
