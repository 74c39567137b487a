import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import type { ConversationRow, MailboxRow, Tables } from '../storage/tables.ts'
import { openConversation } from '../transcripts/conversations/open-conversation.ts'
import { externalIdOf } from '../transcripts/conversations/place.ts'
import { recordVisit } from '../transcripts/users/record-visit.ts'
import type { Channel } from './channel.ts'

/**
 * Finds or opens the conversation of a chat for what is no prompt, within a transaction.
 * @param userId the person whom it tells of; null: it tells of nobody's visit
 */
export async function openChat(
  db: Kysely<Tables>,
  channel: Channel,
  mailbox: Pick<MailboxRow, 'thread'>,
  userId: string | null,
  time: number,
): Promise<ConversationRow> {
  const { agentId, teamId } = channel
  const wish = {
    conversationId: null,
    externalId: externalIdOf(channel, mailbox.thread),
    channelId: channel.id,
    userId,
    tags: null,
  }
  const { conversation, opened } = await openConversation(db, { agentId, teamId }, wish, time)
  const context = { agent_id: agentId, occurred_at: timestamp(time), conversation_id: conversation.id }
  await recordVisit(db, { userId, deviceId: null, sessionId: null }, context)
  if (opened) await raise(db, { ...context, key: 'new_conversation' })
  return conversation
}
