import { HOUR_MS, timestamp } from '../lib/clock.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import { countPrompts } from '../transcripts/completions/count-prompts.ts'
import { isBlocked } from '../users/known-users.ts'
import type { Channel } from './channel.ts'
import type { ChannelWork } from './channel-work.ts'
import { type InboundMessage, writerOfMessage } from './inbound-message.ts'

/**
 * Returns who gets messages that the agent does not answer: a person, or nobody. Null: the agent answers. It does not
 * when the platform says so, when people have blocked the writer, or when the writer or the chat has had the most answers
 * of an hour: a program may be at the other end, so a person looks at the messages.
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
