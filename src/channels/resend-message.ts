import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { selectParkedSend } from '../mailboxes/items.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { findMessage } from '../transcripts/messages/find-message.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'
import { workAgain } from './replay-parked.ts'

/**
 * Sends a message again whose delivery failed or is uncertain.
 * @throws ApiError message_not_found, message_not_failed
 */
export async function resendMessage(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id'>,
  messageId: number,
  now: string,
  by: TeamBy,
): Promise<MessageRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: conversation.id })
    const message = foundOr(await findMessage(db, conversation.id, messageId), 'message_not_found')
    const item = await selectParkedSend(db, messageId)
    if (!item || !(await workAgain(db, item, now))) throw new ApiError('message_not_failed')
    await markDelivery(db, messageId, 'queued')
    const act = { ...by, agentId: conversation.agent_id, at: now, target: `message ${messageId}` }
    await record(db, { ...act, action: 'message.resent', details: { channel_id: item.channel_id } })
    return { ...message, delivery: 'queued', delivery_reason: null }
  })
}
