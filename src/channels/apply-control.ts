import type { Kysely } from 'kysely'
import { storeOperatorMessage, takeOver } from '../desk/answer-as-operator.ts'
import { endAndAskForRating, endWithoutRating } from '../desk/end-conversation.ts'
import { changeConversationPause } from '../desk/pause-conversation.ts'
import { timestamp } from '../lib/clock.ts'
import { stopContinuation } from '../mailboxes/continuations.ts'
import { parkSent, selectSentMessage, selectTakeovers } from '../mailboxes/items.ts'
import { bindMailbox, selectMailbox, setAddress, setHandedOver } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import type { Tables } from '../storage/tables.ts'
import type { Doer } from '../transcripts/conversations/happenings.ts'
import { markDelivery, markRead, selectMailedWith } from '../transcripts/messages/mark-delivery.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { tellUnsent } from './give-up.ts'
import { openChat } from './open-chat.ts'
import type { Payload } from './payload.ts'

/** Carries out a platform's report about a conversation, other than the person's messages. */
export async function applyControl(
  { clock, lessons }: ChannelWork,
  channel: Channel,
  batch: Batch,
): Promise<void> {
  const item = batch.items[0] as MailboxItemRow
  const time = clock()
  await batch.lease.transaction(async (db) => {
    const answered = await apply(db, channel, batch, item, time)
    if (answered) await lessons.handedOff(db, answered)
    await finish(db, batch, 'done', timestamp(time))
  })
}

/**
 * Carries out takeovers that wait behind the messages being answered, before the answer is queued: people have the
 * conversation from the moment at which the platform reports it.
 * @param db the transaction that queues the answer, and holds the lease
 */
export async function applyTakeovers(
  db: Kysely<Tables>,
  channel: Channel,
  batch: Batch,
  time: number,
): Promise<void> {
  for (const item of await selectTakeovers(db, { mailbox_id: batch.mailbox.id })) {
    await apply(db, channel, batch, item, time)
    await finish(db, { items: [item] }, 'done', timestamp(time))
  }
}

/** Tells whether a platform's report that people have the conversation waits to be carried out. */
export async function isTakeoverReported(db: Kysely<Tables>, mailboxId: number): Promise<boolean> {
  const items = await selectTakeovers(db, { mailbox_id: mailboxId })
  if (items.length === 0) return false
  const { handed_over_at } = await selectMailbox(db, mailboxId)
  return items.some(({ kind }) => kind === 'takeover' || !handed_over_at)
}

/** Carries out one report. Returns the conversation if a person has answered in it; otherwise null. */
async function apply(
  db: Kysely<Tables>,
  channel: Channel,
  { mailbox }: Batch,
  item: MailboxItemRow,
  time: number,
): Promise<ConversationRow | null> {
  const now = timestamp(time)
  const { conversation_id, handed_over_at } = await selectMailbox(db, mailbox.id)
  const by: Doer = { actor: { kind: 'channel', id: channel.id, name: null } }
  const payload = JSON.parse(item.payload ?? '{}') as unknown
  switch (item.kind as Inbound['type']) {
    case 'takeover': {
      const { text, author } = payload as Payload<Extract<Inbound, { type: 'takeover' }>>
      const conversation = await openChat(db, channel, mailbox, null, time)
      await bindMailbox(db, mailbox, conversation.id)
      if (text === null) {
        await takeOver(db, conversation.id, now, by)
        break
      }
      await storeOperatorMessage(db, conversation, { content: text, author: author ?? undefined }, now, by)
      return conversation
    }
    case 'handed_over':
      // If Parley handed the conversation over, it is no takeover.
      if (!conversation_id || handed_over_at) break
      await changeConversationPause(db, conversation_id, true, now, by)
      break
    case 'handed_back':
      if (handed_over_at) await setHandedOver(db, mailbox.id, null)
      if (conversation_id) await changeConversationPause(db, conversation_id, false, now, by)
      break
    case 'moved': {
      const { newIds } = payload as Payload<Extract<Inbound, { type: 'moved' }>>
      await setAddress(db, mailbox.id, newIds[0])
      break
    }
    case 'unfollow':
      if (conversation_id) await endWithoutRating(db, conversation_id, now, by)
      break
    case 'ended':
      if (conversation_id) await endAndAskForRating(db, conversation_id, now, by)
      break
    case 'read': {
      const { echoId, until } = payload as Payload<Extract<Inbound, { type: 'read' }>>
      const upTo = echoId === null ? null : await selectSentMessage(db, channel.id, echoId)
      if (conversation_id && (upTo !== null || until !== null))
        await markRead(db, conversation_id, { upTo, until: until === null ? null : timestamp(until) })
      break
    }
    case 'undelivered': {
      const { echoId, reason, code } = payload as Payload<Extract<Inbound, { type: 'undelivered' }>>
      const messageId = await selectSentMessage(db, channel.id, echoId)
      const place = { agent_id: channel.agentId, channel_id: channel.id, conversation_id }
      await tellUnsent(db, place, messageId, { delivery: 'failed', reason }, now, { platform_code: code })
      if (messageId !== null) await parkSent(db, messageId, reason, now)
      // A mail may hold several messages, of which the last one is known by it.
      for (const id of await selectMailedWith(db, messageId)) {
        await markDelivery(db, id, 'failed', reason)
        await parkSent(db, id, reason, now)
      }
      if (mailbox.unseen_ms !== null) await stopContinuation(db, mailbox.id, 'bounced', now)
    }
  }
  return null
}
