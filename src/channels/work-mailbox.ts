import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { inNewTrace, type SpanAttributes } from '../lib/tracing/tracing.ts'
import { isTakeover } from '../mailboxes/items.ts'
import { writerOf } from '../mailboxes/parked-messages-of.ts'
import type { Batch, NextItems, Work } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow, MailboxRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { failCompletion, reopenCompletion } from '../transcripts/completions/fail-completion.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { answerMessages } from './answer-messages.ts'
import { applyControl } from './apply-control.ts'
import { changeHands } from './change-hands.ts'
import { changeMessage } from './change-message.ts'
import { type ChannelWork, finishFailed } from './channel-work.ts'
import { nextUnseen } from './continued/next-unseen.ts'
import { sendUnseen } from './continued/send-unseen.ts'
import { giveUp, tellUnsent } from './give-up.ts'
import { greet } from './greet.ts'
import { readMessage } from './inbound-message.ts'
import { sendMessage } from './send-message.ts'

/** The longest wait of a burst's messages, as a multiple of the debounce. */
const LONGEST_BURST = 5

/** Works the mailboxes of channels: first outgoing items, then incoming ones, each in order. */
export function workOfChannels(tools: ChannelWork): Work {
  const { clock, channels } = tools
  return {
    next: (mailbox, items, nowMs) =>
      mailbox.unseen_ms === null
        ? nextItems(mailbox, items, nowMs)
        : nextUnseen(items, nowMs, (others) => nextItems(mailbox, others, nowMs)),

    run: (batch) => inNewTrace(...spanOfWork(batch), () => run(batch)),

    async replayed(db, { completion_id }) {
      if (completion_id !== null) await reopenCompletion(db, completion_id)
    },

    parked: (db, batch, error) =>
      inNewTrace(...spanOfWork(batch), () => tellParked(db, batch, error, timestamp(clock()))),
  }

  async function run(batch: Batch): Promise<void> {
    const { mailbox, items } = batch
    const channel = await channels.byId(mailbox.channel_id)
    if (!channel) {
      // The channel was deleted while items waited, or an item was posted to one of its conversations afterwards.
      const [item] = items
      if (item?.kind === 'send') {
        const delivery = item.state === 'sending' ? 'unknown' : 'failed'
        const gone = { delivery, reason: 'unreachable', code: 'channel_deleted' } as const
        return giveUp(tools, batch, gone, 'failed')
      }
      const code = items.some(isOutgoing) ? 'channel_hand_over_failed' : 'channel_event_dropped'
      return finishFailed(tools, batch, { state: 'failed', code, reason: 'channel_deleted' })
    }
    switch (items[0]?.kind) {
      case 'send':
        return mailbox.unseen_ms === null
          ? sendMessage(tools, channel, batch)
          : sendUnseen(tools, channel, batch)
      case 'hand_over':
      case 'hand_back':
        return changeHands(tools, channel, batch)
      case 'edited':
      case 'withdrawn':
        return changeMessage(tools, channel, batch)
      case 'message':
        return answerMessages(tools, channel, batch)
      case 'follow':
        return greet(tools, channel, batch)
      default:
        return applyControl(tools, channel, batch)
    }
  }
}

/**
 * Chooses the items to work next:
 * 1. Edits, withdrawals and read receipts come first, so that the old text of a changed message is not answered. While
 * one waits to be tried again, the other items go on.
 * 2. Outgoing messages go before incoming ones, unless the first incoming one says that people have taken over.
 * 3. Incoming messages whose prompt is stored already are answered together.
 * 4. Other messages are gathered into one prompt until none has come for the channel's debounce. Without a debounce,
 * each message is its own prompt. Messages of different people in a chat are never gathered, because tools act for the
 * user of a prompt.
 */
function nextItems(mailbox: MailboxRow, items: MailboxItemRow[], nowMs: number): NextItems {
  const changes = items.filter(isChange)
  const change = changes.find(({ attempts, due_at }) => attempts === 0 || Date.parse(due_at) <= nowMs)
  if (change) return [change]
  const others = items.filter((item) => !isChange(item))
  const cameFirst = others.find((item) => !isOutgoing(item))
  const first = cameFirst && isTakeover(cameFirst) ? cameFirst : (others.find(isOutgoing) ?? cameFirst)
  if (!first) return changes[0] ? { waitUntil: changes[0].due_at } : []
  const mustWait = isOutgoing(first) || first.attempts > 0
  if (mustWait && Date.parse(first.due_at) > nowMs) return { waitUntil: first.due_at }
  if (first.kind !== 'message') return [first]
  if (first.completion_id !== null)
    return others.filter(({ completion_id }) => completion_id === first.completion_id)
  return gather(mailbox, others, first, nowMs)
}

/** Gathers the messages that follow a first one into one prompt. @param items in their order, from `first` on */
function gather(
  mailbox: MailboxRow,
  items: readonly MailboxItemRow[],
  first: MailboxItemRow,
  nowMs: number,
): NextItems {
  const writer = writerIn(mailbox, first)
  const next = items.findIndex(
    (item) => item.kind !== 'message' || item.completion_id !== null || writerIn(mailbox, item) !== writer,
  )
  const burst = next < 0 ? [...items] : items.slice(0, next)
  const last = burst.at(-1) ?? first
  const debounce = Date.parse(last.due_at) - Date.parse(last.created_at)
  if (debounce === 0) return [first]
  const longest = Date.parse(first.created_at) + LONGEST_BURST * debounce
  const ready = Math.min(Date.parse(last.due_at), longest)
  // After a failure the messages have waited long enough, and are not gathered again.
  return ready > nowMs && first.attempts === 0 ? { waitUntil: timestamp(ready) } : burst
}

/**
 * Returns a key of the messages that may share a prompt. It differs by writer, by whether the writer's identity is
 * proven, and by whether the message is answered.
 */
function writerIn(mailbox: MailboxRow, { payload }: MailboxItemRow): string {
  if (payload === null) return ''
  const message = readMessage(payload)
  return JSON.stringify([writerOf(mailbox, message), message.user.signedId, message.leave])
}

function isOutgoing({ kind }: MailboxItemRow): boolean {
  return kind === 'send' || kind === 'hand_over' || kind === 'hand_back'
}

function isChange({ kind }: MailboxItemRow): boolean {
  return kind === 'edited' || kind === 'withdrawn' || kind === 'read'
}

async function tellParked(
  db: Kysely<Tables>,
  { mailbox, items }: Batch,
  error: Error,
  now: string,
): Promise<void> {
  const [item] = items
  if (item?.kind === 'send') {
    // Each attempt ended with an error of Parley itself, or with the process.
    const delivery = item.state === 'sending' ? 'unknown' : 'failed'
    await tellUnsent(db, mailbox, item.message_id, { delivery, reason: 'unreachable' }, now)
    return
  }
  if (mailbox.conversation_id) await waitForPerson(db, mailbox.conversation_id, 'failed', now)
  const completionId = item?.completion_id
  if (completionId) await failCompletion(db, completionId, now)
  await raise(db, {
    key: 'error',
    agent_id: mailbox.agent_id,
    occurred_at: now,
    ...(mailbox.conversation_id ? { conversation_id: mailbox.conversation_id } : {}),
    ...(completionId ? { completion_id: completionId } : {}),
    data: { code: 'channel_item_parked', reason: error.name, channel_id: mailbox.channel_id },
  })
}

/** Returns the name and the attributes of the span of a batch. */
function spanOfWork({ mailbox, items }: Batch): [string, SpanAttributes] {
  return [`channel ${items[0]?.kind}`, { 'parley.channel.id': mailbox.channel_id }]
}
