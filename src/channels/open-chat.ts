import type { Kysely } from 'kysely'
import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { openConversation } from '../transcripts/conversations/open-conversation.ts'
import { externalIdOf } from '../transcripts/conversations/place.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Writer } from '../users/writer.ts'
import type { Channel } from './channel.ts'

/**
 * Finds or opens the conversation of a chat for something that is not a prompt, within a transaction.
 * @param user the person who visits; null when it counts as nobody's visit
 */
export async function openChat(
  db: Kysely<Tables>,
  channel: Channel,
  mailbox: Pick<MailboxRow, 'thread'>,
  user: Writer | null,
  time: number,
  tags: Record<string, unknown> | null = null,
): Promise<ConversationRow> {
  const { agentId, teamId } = channel
  const wish = {
    conversationId: null,
    externalId: externalIdOf(channel, mailbox.thread),
    channelId: channel.id,
    widgetId: null,
    user,
    deviceId: null,
    sessionId: null,
    tags,
    language: null,
  }
  const { conversation } = await openConversation(db, { agentId, teamId }, wish, time)
  return conversation
}
