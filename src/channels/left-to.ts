import { timestamp } from '../lib/clock.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import { countPrompts } from '../transcripts/completions/count-prompts.ts'
import { isBlocked } from '../users/profile-store.ts'
import type { Channel } from './channel.ts'
import type { ChannelWork } from './channel-work.ts'
import { type InboundMessage, writerOfMessage } from './inbound-message.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Returns why the agent leaves messages unanswered; null: it answers them. The platform says so of the messages, people
 * have blocked who wrote them, or they are beyond its most answers in an hour, because a program may be at the other end:
 * a person then looks at them.
 */
export async function leftTo(
  { db, clock }: Pick<ChannelWork, 'db' | 'clock'>,
  channel: Channel,
  { mailbox }: Pick<Batch, 'mailbox'>,
  [first]: InboundMessage[],
): Promise<NonNullable<InboundMessage['leave']> | null> {
  if (!first) return null
  if (first.leave) return first.leave
  const { key } = writerOfMessage(channel, mailbox, first)
  if (await isBlocked(db, channel.agentId, key)) return 'alone'
  const { mostAnswers } = channel.platform
  if (!mostAnswers) return null
  const since = timestamp(clock() - HOUR_MS)
  const toPerson = await countPrompts(db, { agentId: channel.agentId, userKey: key }, since)
  if (toPerson >= mostAnswers.toPerson) return 'to_person'
  if (mailbox.conversation_id === null) return null
  const inChat = await countPrompts(db, { conversationId: mailbox.conversation_id }, since)
  return inChat >= mostAnswers.inChat ? 'to_person' : null
}
