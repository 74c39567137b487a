import { timestamp } from '../lib/clock.ts'
import { bindMailbox } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import { sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import { agentInChat } from './agent-in-chat.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { writerOfMessage } from './inbound-message.ts'
import { openChat } from './open-chat.ts'
import type { Payload } from './payload.ts'

/** Opens a conversation with a person who now follows the account, and sends the agent's greeting. */
export async function greet({ clock }: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { mailbox, lease } = batch
  const item = batch.items[0] as MailboxItemRow
  const { user, replyToken } = JSON.parse(item.payload ?? '{}') as Payload<
    Extract<Inbound, { type: 'follow' }>
  >
  const time = clock()
  const now = timestamp(time)
  await lease.transaction(async (db) => {
    const writer = writerOfMessage(channel, mailbox, { user })
    const conversation = await openChat(db, channel, mailbox, writer, time)
    await bindMailbox(db, mailbox, conversation.id, { replyToken }, item)
    const { settings, isPaused } = await agentInChat(db, channel, conversation, writer, time)
    const { agent_paused, ended_at } = conversation
    // A blocked person's conversation has ended.
    if (settings.greeting && !isPaused && !agent_paused && ended_at === null)
      await sayAsAgent(db, conversation, { role: 'assistant', content: settings.greeting }, now)
    await finish(db, batch, 'done', now)
  })
}
