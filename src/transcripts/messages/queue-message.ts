import type { Kysely } from 'kysely'
import { postMessage } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import { markDelivery } from './mark-delivery.ts'

/**
 * Has a stored message go out through the channel of its conversation, within the caller's transaction; nothing happens
 * where the conversation has none.
 */
export async function queueMessage(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  now: string,
): Promise<void> {
  if (await postMessage(db, conversationId, messageId, now)) await markDelivery(db, messageId, 'queued')
}
