import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { holdPauseState } from '../agents/pause-state.ts'
import { HOUR_MS, timestamp } from '../lib/clock.ts'
import { updateItems } from '../mailboxes/items.ts'
import { bindMailbox, selectMailbox, setUnsupportedAt } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { Tables } from '../storage/tables.ts'
import { byUser } from '../transcripts/conversations/happenings.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { endSilence, expectSilence } from '../transcripts/conversations/silence-store.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { keepQuoted } from '../transcripts/messages/keep-quoted.ts'
import { type OwnMessage, sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { isPauseNews } from '../turns/say-paused.ts'
import { agentInChat } from './agent-in-chat.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { type InboundMessage, writerOfMessage } from './inbound-message.ts'
import { attachMedia } from './media/attach-media.ts'
import { openChat } from './open-chat.ts'

/** The shortest time between two notices to the same person that something they sent cannot be read. */
const TOLD_MS = HOUR_MS

/**
 * Stores content without text, such as a picture, and asks no model. Tells the person that it cannot be read, or that
 * the agent is paused.
 * @param leave set when nothing may be answered at all: the messages are only stored, or left to a person
 */
export async function keepUnread(
  { db, clock, places }: ChannelWork,
  channel: Channel,
  batch: Batch,
  messages: InboundMessage[],
  leave: InboundMessage['leave'] | null = null,
): Promise<void> {
  const { mailbox, lease, items } = batch
  const { agentId } = channel
  const time = clock()
  const createdAt = timestamp(time)
  await db.transaction().execute(async (db) => {
    // Waits for a pause that is being stored, as answers do.
    await holdPauseState(db, agentId)
    await lease.hold(db)
    const known = mailbox.conversation_id && (await lockConversation(db, mailbox.conversation_id))
    const user = messages[0] ? writerOfMessage(channel, mailbox, messages[0]) : null
    // What nobody is to answer does not bring back a conversation that has ended or was put aside.
    const isLeft = leave === 'alone' && known
    const conversation = isLeft || (await openChat(db, channel, mailbox, user, time))
    await bindMailbox(db, mailbox, conversation.id, messages.at(-1), items.at(-1))
    const row = { agentId, conversationId: conversation.id, completionId: null, createdAt }
    for (const [at, { text, kind, media, quoted }] of messages.entries()) {
      const said = { role: 'user' as const, content: text, kind }
      const message_id = await appendMessage(db, { ...row, ...said })
      await keepQuoted(db, message_id, quoted)
      await attachMedia(db, channel, { ...row, messageId: message_id }, media, places, time)
      await updateItems(db, [items[at]?.id ?? 0], { message_id })
    }
    const agent = await agentInChat(db, channel, conversation, user, time)
    const answer = leave ? null : await answerTo(db, agent, conversation, batch, time)
    if (answer) await sayAsAgent(db, conversation, answer, createdAt)
    if (leave === 'to_person') await waitForPerson(db, conversation.id, 'unanswered', createdAt, byUser)
    if (leave !== 'alone' && isPaused(agent, conversation)) {
      await postHandOver(db, conversation.id, 'hand_over', createdAt)
      await waitForPerson(db, conversation.id, 'paused', createdAt, byUser)
    }
    if (answer?.role === 'assistant')
      await expectSilence(db, conversation.id, agentId, agent.settings.inactivity, createdAt)
    else if (leave !== 'alone') await endSilence(db, conversation.id)
    await finish(db, batch, 'done', createdAt)
  })
}

async function answerTo(
  db: Kysely<Tables>,
  agent: Agent,
  conversation: ConversationRow,
  { mailbox: { id } }: Batch,
  time: number,
): Promise<OwnMessage | null> {
  const { pause_message, unsupported_message } = agent.settings
  if (isPaused(agent, conversation)) {
    const isNews = pause_message !== null && (await isPauseNews(db, conversation.id))
    return isNews ? { role: 'transition', content: pause_message } : null
  }
  const { unsupported_at } = await selectMailbox(db, id)
  const isTold = unsupported_at !== null && unsupported_at > timestamp(time - TOLD_MS)
  if (unsupported_message === null || isTold) return null
  await setUnsupportedAt(db, id, timestamp(time))
  return { role: 'assistant', content: unsupported_message }
}

function isPaused(agent: Agent, { agent_paused }: ConversationRow): boolean {
  return agent.isPaused || agent_paused === 1
}
