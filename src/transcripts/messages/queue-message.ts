import type { Kysely } from 'kysely'
import { postMessage } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import { markDelivery } from './mark-delivery.ts'

/**
 * Queues a stored message for the channel of its conversation, within the caller's transaction. Does nothing if the
 * conversation has no channel.
 */
export async function queueMessage(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  now: string,
): Promise<void> {
  if (await postMessage(db, conversationId, messageId, now)) await markDelivery(db, messageId, 'queued')
}
