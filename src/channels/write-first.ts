import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import { type Desk, type PersonsWords, sendOperatorMessage } from '../desk/answer-as-operator.ts'
import { lockTaker, takeFor } from '../desk/pause-conversation.ts'
import { setSnooze } from '../desk/snooze/snooze-conversation.ts'
import { ApiError, invalidField } from '../errors.ts'
import type { Scope } from '../http/scope.ts'
import { findRepeated, type Idempotency, keepKey } from '../idempotency/repeats.ts'
import { nameMessage } from '../idempotency/store.ts'
import { timestamp } from '../lib/clock.ts'
import { resolveThreads } from '../mailboxes/aliases.ts'
import { isChatOfPerson } from '../mailboxes/channels-of-person.ts'
import { bindMailbox } from '../mailboxes/mailbox.ts'
import { personUntil } from '../mailboxes/reply-until.ts'
import { selectMailboxOfThread, touchMailboxes } from '../mailboxes/store.ts'
import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { isInScope } from '../transcripts/conversations/in-scope.ts'
import { moveConversation } from '../transcripts/conversations/move-conversation.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { refuseIfBlocked, reopenLocked } from '../transcripts/conversations/reopen-conversation.ts'
import { lockConversation, noLongerWaiting } from '../transcripts/conversations/store.ts'
import { conversationOfMessage } from '../transcripts/messages/find-message.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Channel } from './channel.ts'
import { writerOfMessage } from './inbound-message.ts'
import { openChat } from './open-chat.ts'
import { FOR_EVER } from './receive.ts'

/** A message of a person or a program to somebody who may not have written yet. */
interface FirstMessage extends PersonsWords {
  /** Names the person on the platform. */
  to: string
  tags: Record<string, unknown> | null
  /** The caller's id of the conversation, if this opens it. */
  externalId: string | undefined
  /** True if a person goes on in the conversation, instead of the agent. */
  agentPaused: boolean
  /** The conversations that the writer may see; null: all. */
  scope: Scope | null
  idempotency: Idempotency | null
}

/** The conversation of a first message. */
interface Written {
  conversation: ConversationRow
  /** True if the message has opened it. */
  isNew: boolean
  isRepeated: boolean
}

/**
 * Writes to somebody on a channel: in their conversation there, which opens again if it had ended, or in a new one.
 * @throws ApiError conversation_not_found if the writer may not see that; window_closed, channel_inactive,
 *   external_id_taken, idempotency_key_reused; invalid_request if `to` names nobody or the external id cannot be used
 */
export async function writeFirst(
  db: Kysely<Tables>,
  { lockAssignee, lessons, hasPublicUrl }: Desk,
  channel: Channel,
  message: FirstMessage,
  nowMs: number,
  by: TeamBy,
): Promise<Written> {
  const { platform, agentId } = channel
  const named = platform.addressee.threadOf(message.to)
  if (named === null) throw invalidField('to', `must be ${platform.addressee.form}`)
  if (!channel.isActive) throw new ApiError('channel_inactive')
  const now = timestamp(nowMs)
  const { idempotency } = message
  return db.transaction().execute(async (db) => {
    const earlier = idempotency && (await keepKey(db, agentId, idempotency, null, nowMs))
    if (earlier) return { ...(await writtenWith(db, earlier.message_id)), isRepeated: true }
    const mailbox = await lockChat(db, channel, named, now)
    refuseIfClosed(channel, mailbox, message, now)
    const taker = message.agentPaused ? await lockTaker(db, lockAssignee, by) : null
    const known = mailbox.conversation_id
    if (known !== null) {
      const present = await lockConversation(db, known)
      if (!isInScope(present, message.scope)) throw new ApiError('conversation_not_found')
      const reopened = await reopenLocked(db, present, now, by)
      if (reopened.snoozed_until !== null) await setSnooze(db, reopened, null, now, by)
    }
    const writer = isChatOfPerson(platform.kind)
      ? writerOfMessage(channel, mailbox, { user: { id: mailbox.thread, name: null } })
      : null
    const conversation = await openChat(db, channel, mailbox, writer, nowMs, message)
    await refuseIfBlocked(db, conversation)
    await bindMailbox(db, mailbox, conversation.id)
    const way = { takesOver: message.agentPaused, hasPublicUrl }
    const id = await sendOperatorMessage(db, conversation, message, way, now, by)
    let written = await lockConversation(db, conversation.id)
    if (message.agentPaused) {
      written = await takeFor(db, written, taker, now, by)
      await postHandOver(db, conversation.id, 'hand_over', now)
      await lessons.handedOff(db, written)
    } else if (written.waiting_since !== null)
      written = await moveConversation(db, conversation.id, noLongerWaiting(written), now)
    if (idempotency) await nameMessage(db, agentId, idempotency.key, id)
    return { conversation: written, isNew: known === null, isRepeated: false }
  })
}

/** Finds what an earlier request with the same key has written; null: nothing yet. @throws ApiError idempotency_key_reused */
export async function writtenBefore(
  db: Kysely<Tables>,
  agentId: number,
  idempotency: Idempotency,
  nowMs: number,
): Promise<Written | null> {
  const earlier = await findRepeated(db, agentId, idempotency, nowMs)
  return earlier && { ...(await writtenWith(db, earlier.message_id)), isRepeated: true }
}

/** Returns where an earlier message was written. */
async function writtenWith(
  db: Kysely<Tables>,
  messageId: number | null,
): Promise<Omit<Written, 'isRepeated'>> {
  const written = messageId === null ? null : await conversationOfMessage(db, messageId)
  if (!written) throw new ApiError('idempotency_key_reused')
  return written
}

/**
 * Finds the mailbox of a chat, or makes one, and locks it: two who write at once follow each other.
 * @throws ApiError window_closed when the platform delivers nothing to a person who has not written
 */
async function lockChat(
  db: Kysely<Tables>,
  { id: channel_id, agentId: agent_id, platform }: Channel,
  named: string,
  now: string,
): Promise<MailboxRow> {
  const [thread = named] = await resolveThreads(db, [
    { channelId: channel_id, thread: named, ids: [named], newIds: [] },
  ])
  const [earlier] = await selectMailboxOfThread(db, { channel_id, thread })
  if (!earlier && platform.addressee.mustHaveWritten)
    throw new ApiError('window_closed', {
      message: `${platform.title} delivers nothing to people who have not written to the account.`,
    })
  const writable_until = platform.replyWindowMs === null ? FOR_EVER : timestamp(0)
  await touchMailboxes(db, [{ channel_id, agent_id, thread, writable_until, due_at: now }])
  const [mailbox] = await selectMailboxOfThread(db, { channel_id, thread })
  if (!mailbox) throw new Error('a mailbox that was made is not there')
  return mailbox
}

/** @throws ApiError window_closed when the platform would not deliver the message */
function refuseIfClosed(
  { platform }: Channel,
  mailbox: MailboxRow,
  { template }: FirstMessage,
  now: string,
): void {
  const until = personUntil(platform, mailbox.writable_until)
  if (!template && until !== null && until <= now) throw new ApiError('window_closed')
}
