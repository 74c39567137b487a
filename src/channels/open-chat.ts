import type { Kysely } from 'kysely'
import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { openConversation } from '../transcripts/conversations/open-conversation.ts'
import { externalIdOf } from '../transcripts/conversations/prompt-origin.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Writer } from '../users/writer.ts'
import type { Channel } from './channel.ts'

type ChatMailbox = Pick<MailboxRow, 'thread' | 'unseen_ms' | 'conversation_id'>

/** Names the conversation of a chat: the widget's conversation that continues in it, or the chat's own. */
export function conversationOf(
  channel: Channel,
  { thread, unseen_ms, conversation_id }: ChatMailbox,
): { conversationId: string | null; externalId: string | null } {
  return unseen_ms !== null && conversation_id !== null
    ? { conversationId: conversation_id, externalId: null }
    : { conversationId: null, externalId: externalIdOf(channel, thread) }
}

/**
 * Finds or opens the conversation of a chat for something that is not a prompt, within a transaction.
 * @param user the person whose visit this counts as; null: nobody's
 * @param made the tags that it gets, and the external id if it is new
 */
export async function openChat(
  db: Kysely<Tables>,
  channel: Channel,
  mailbox: ChatMailbox,
  user: Writer | null,
  time: number,
  made: { tags?: Record<string, unknown> | null; externalId?: string | undefined } = {},
): Promise<ConversationRow> {
  const { agentId, teamId } = channel
  const wish = {
    ...conversationOf(channel, mailbox),
    newExternalId: made.externalId,
    channelId: channel.id,
    widgetId: null,
    user,
    deviceId: null,
    sessionId: null,
    tags: made.tags ?? null,
    language: null,
  }
  const { conversation } = await openConversation(db, { agentId, teamId }, wish, time)
  return conversation
}
