import { randomUUID } from 'node:crypto'
import { readAgent } from '../../agents/agent.ts'
import { timestamp } from '../../lib/clock.ts'
import { mayMail, noteMail, selectContinuation, stopContinuation } from '../../mailboxes/continuations.ts'
import { insertEcho, startSendingAll } from '../../mailboxes/items.ts'
import { selectMailbox } from '../../mailboxes/mailbox.ts'
import type { Batch } from '../../mailboxes/run-mailboxes.ts'
import { PlatformError } from '../../platforms/platform.ts'
import { markMailed } from '../../transcripts/messages/mark-delivery.ts'
import { type Outgoing, readOutgoing } from '../../transcripts/messages/read-outgoing.ts'
import { type Channel, webhookUrl } from '../channel.ts'
import { type ChannelWork, counted, finish, tryAgainAfter, updateBatch } from '../channel-work.ts'
import { type SendFailure, tellUnsent } from '../give-up.ts'
import { unseenMail } from './unseen-mail.ts'

/** The most ids that a mail refers to. */
const MOST_REFERRED = 20

/**
 * Sends what the visitor of a widget has not seen as one mail. As for every message, `sending` is stored before the call,
 * so that a mail that may have gone out is not sent again.
 * @throws TryAgain when another attempt is due
 */
export async function sendUnseen(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db, clock } = tools
  const { mailbox, items, lease } = batch
  const { platform, settings } = channel
  const ids = items.map(({ id }) => id)
  const messages = await readMessages(tools, batch)
  if (items[0]?.state === 'sending')
    return giveUpAll(tools, batch, messages, { delivery: 'unknown', reason: 'unreachable' })
  if (!channel.isActive)
    return giveUpAll(tools, batch, messages, {
      delivery: 'failed',
      reason: 'unreachable',
      code: 'channel_inactive',
    })
  const begun = await begin()
  if (!begun) return
  const { address, mail, stopUrl, retryKey, answersTo } = begun
  const call = platform.send(tools.outbound.of(channel.teamId), settings, {
    thread: mailbox.thread,
    to: address,
    texts: [mail.text],
    subject: mail.subject,
    answersTo,
    retryKey,
    replyToken: null,
    stopUrl,
    byPerson: messages.some(({ role }) => role === 'operator'),
    webhookUrl: webhookUrl(tools.baseUrl(), channel),
  })
  const sent = await counted(tools, channel, call).catch((error: Error) => error)
  if (sent instanceof Error) return fail(sent)
  await lease.transaction(async (db) => {
    const now = timestamp(clock())
    const last = messages.at(-1)?.id ?? null
    if (sent.echoId !== null) await insertEcho(db, mailbox, sent.echoId, last, now)
    for (const { id } of messages) await markMailed(db, id, { to: address, at: now }, 'sent')
    await finish(db, batch, 'done', now)
    const references = [...(answersTo?.split(' ') ?? []), sent.reference ?? ''].filter(Boolean)
    await noteMail(db, mailbox.id, references.slice(-MOST_REFERRED).join(' ') || null, now)
  })

  /** Stores that the mail is about to be sent, and returns it; null: there is nothing to send, or not all of this. */
  async function begin() {
    const { name } = await readAgent(db, channel.agentId)
    const retryKey = items[0]?.retry_key ?? randomUUID()
    return lease.transaction(async (db) => {
      const [continuation] = await selectContinuation(db, { mailbox_id: mailbox.id })
      const stopUrl = tools.stopLinks.linkTo({ agentId: channel.agentId, mailboxId: mailbox.id })
      const mail =
        continuation && (await mayMail(db, continuation))
          ? unseenMail(messages, name, continuation, stopUrl)
          : null
      if (!continuation || !mail) {
        await finish(db, batch, 'done', timestamp(clock()))
        return null
      }
      // A message that was seen since the batch was read waits no longer. The rest is then chosen anew.
      if (!(await startSendingAll(db, ids, retryKey))) return null
      const { answers_to } = await selectMailbox(db, mailbox.id)
      return { address: continuation.address, mail, stopUrl, retryKey, answersTo: answers_to }
    })
  }

  /** @throws TryAgain */
  async function fail(error: Error): Promise<void> {
    if (!(error instanceof PlatformError)) throw error
    const { outcome, reason, status } = error
    if (outcome !== 'not_sent' || batch.isLastAttempt) {
      const delivery = outcome === 'unknown' ? 'unknown' : 'failed'
      const isBounce = outcome === 'refused' && reason === 'rejected'
      return giveUpAll(tools, batch, messages, { delivery, reason, status }, isBounce)
    }
    await updateBatch(batch, { state: 'waiting' })
    throw tryAgainAfter(error)
  }
}

/** Reads the messages of a batch, in order. Leaves out withheld answers, which the user must not see. */
async function readMessages({ db }: ChannelWork, { items }: Batch): Promise<Outgoing[]> {
  const read = items.map(({ message_id }) => (message_id === null ? undefined : readOutgoing(db, message_id)))
  const found = (await Promise.all(read)).filter((message) => message !== undefined)
  return found.filter(({ withheld }) => withheld === 0).sort((a, b) => a.id - b.id)
}

/** Stops trying to send a mail, as `giveUp` does for one message. @param isBounce the server refuses the address */
async function giveUpAll(
  { clock, logger }: ChannelWork,
  batch: Batch,
  messages: readonly Outgoing[],
  failure: SendFailure,
  isBounce = false,
): Promise<void> {
  const { mailbox, lease } = batch
  const { delivery, reason, status, code } = failure
  const now = timestamp(clock())
  await lease.transaction(async (db) => {
    await finish(db, batch, 'parked', now, code ?? reason)
    await tellUnsent(db, mailbox, messages.at(-1)?.id ?? null, failure, now)
    const [continuation] = await selectContinuation(db, { mailbox_id: mailbox.id })
    const mail = { to: continuation?.address ?? null, at: now }
    for (const { id } of messages) await markMailed(db, id, mail, delivery, reason)
    if (isBounce) await stopContinuation(db, mailbox.id, 'bounced', now)
  })
  const { channel_id, conversation_id } = mailbox
  logger.warn(
    { channel_id, conversation_id, delivery, reason, status: status ?? undefined },
    'unseen answers were not delivered',
  )
}
