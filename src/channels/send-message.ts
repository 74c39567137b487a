import { createHash, randomUUID } from 'node:crypto'
import { readAgent } from '../agents/agent.ts'
import { timestamp } from '../lib/clock.ts'
import { resolveThreads } from '../mailboxes/aliases.ts'
import { insertEcho, startSending, updateItems } from '../mailboxes/items.ts'
import { addressOf, selectMailbox, takeReplyToken } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import { PlatformError, ReplyTokenRefused, type Sent } from '../platforms/platform.ts'
import type { TemplateUse } from '../platforms/template.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import { type Outgoing, readOutgoing } from '../transcripts/messages/read-outgoing.ts'
import { subjectOf } from '../transcripts/messages/subject-of.ts'
import { TryAgain } from '../work/retry.ts'
import { type Channel, webhookUrl } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { giveUp, type SendFailure } from './give-up.ts'
import {
  countOf,
  filesFrom,
  nextParts,
  type OutgoingParts,
  outgoingParts,
  WHOLE,
  withoutButtons,
} from './outgoing-parts.ts'
import { partSender } from './send-parts.ts'

const NOTHING: OutgoingParts = { texts: [], buttons: [], files: [] }

/**
 * Sends a stored message through its channel. It is cut into parts by the platform's limits, and sent with as few calls
 * as the platform allows. The text is read only at this point, so that a redacted message goes out redacted. `sending`
 * is stored before each call until its outcome is known. A part that may have been sent is sent again only if the
 * platform recognizes repeats.
 * @throws TryAgain when another attempt is due
 */
export async function sendMessage(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db, clock } = tools
  const { lease, mailbox } = batch
  const item = batch.items[0] as MailboxItemRow
  const { platform } = channel
  const message = item.message_id === null ? undefined : await readOutgoing(db, item.message_id)
  const template = message?.template ? (JSON.parse(message.template) as TemplateUse) : null
  const sources = message ? await listsSources(message) : false
  // The platform puts a template together, with the file above its text.
  const limits: typeof WHOLE | Channel['platform'] = template ? WHOLE : platform
  let parts = message ? outgoingParts(message, sources, limits) : NOTHING
  const byPerson = message?.role === 'operator'
  const sender = partSender(tools, channel)
  let mayHaveGoneOut = item.state === 'sending'
  const obstacle = await findObstacle(tools, channel, batch, byPerson)
  if (obstacle) return giveUp(tools, batch, obstacle)

  if (!(await upload(tools, batch, sender, filesFrom(parts, item.parts_sent)))) return
  const present = await selectMailbox(db, mailbox.id)
  const { answers_to: answersTo, conversation_id } = present
  const place = {
    thread: addressOf(present),
    answersTo,
    subject: platform.hasSubjects && conversation_id ? await subjectOf(db, conversation_id) : null,
    byPerson,
    webhookUrl: webhookUrl(tools.baseUrl(), channel),
  }
  const begun = await begin(tools, batch, item)
  if (!begun) return
  let { part, replyToken } = begun
  for (let found = nextParts(parts, part, limits); found; found = nextParts(parts, part, limits)) {
    const { next, end } = found
    let sent: Sent
    try {
      sent = await sender.send(next, {
        ...place,
        replyToken,
        retryKey: keyOfPart(begun.retryKey, part),
        template,
      })
      tools.sent?.(platform.kind, 'sent', '')
    } catch (error) {
      if (error instanceof PlatformError) tools.sent?.(platform.kind, error.outcome, error.reason)
      if ('buttons' in next && next.buttons.length > 0 && isRejected(error)) {
        parts = withoutButtons(parts, part, platform)
        continue
      }
      if (!(error instanceof ReplyTokenRefused)) return fail(error)
      // If an earlier attempt used the token, these texts may have been sent. Otherwise they are sent without it.
      if (mayHaveGoneOut) return giveUp(tools, batch, { delivery: 'unknown', reason: reasonBefore(item) })
      replyToken = null
      await store({ reply_token: null })
      continue
    }
    part = end
    replyToken = null
    mayHaveGoneOut = false
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await updateItems(db, [item.id], { parts_sent: part, reply_token: null })
      if (sent.echoId !== null)
        await insertEcho(db, mailbox, sent.echoId, item.message_id, timestamp(clock()))
      if (part < countOf(parts)) return
      if (item.message_id !== null) await markDelivery(db, item.message_id, 'sent')
      await finish(db, batch, 'done', timestamp(clock()))
    })
    await keepIds(sent)
  }
  // No part is left to send, for example because the text became shorter when it was redacted.
  if (countOf(parts) <= item.parts_sent)
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      if (item.message_id !== null)
        await markDelivery(db, item.message_id, item.parts_sent > 0 ? 'sent' : null)
      await finish(db, batch, 'done', timestamp(clock()))
    })

  async function listsSources({ role, citations }: Outgoing): Promise<boolean> {
    if (role !== 'assistant' || citations === null) return false
    return (await readAgent(db, channel.agentId)).settings.cite_in_channels
  }

  /** Has all ids of the person lead to this chat. */
  async function keepIds({ ids = [] }: Sent): Promise<void> {
    const { channel_id: channelId, thread } = mailbox
    const others = ids.filter((id) => id !== thread && id !== place.thread)
    if (others.length === 0) return
    const person = { channelId, thread, ids: [thread, ...others], newIds: [] }
    await db.transaction().execute((db) => resolveThreads(db, [person]))
  }

  async function store(values: Parameters<typeof updateItems>[2]): Promise<void> {
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await updateItems(db, [item.id], values)
    })
  }

  /** @throws TryAgain */
  async function fail(error: unknown): Promise<void> {
    if (!(error instanceof PlatformError)) throw error
    const { outcome, reason, status, retryAfterMs: after } = error
    mayHaveGoneOut ||= outcome === 'unknown'
    const mayRepeat = outcome === 'not_sent' || (outcome === 'unknown' && platform.resends)
    if (!mayRepeat || batch.isLastAttempt)
      return giveUp(tools, batch, { delivery: mayHaveGoneOut ? 'unknown' : 'failed', reason, status })
    if (!mayHaveGoneOut) await store({ state: 'waiting' })
    throw new TryAgain(error.message, { after, code: reason, cause: error })
  }
}

/**
 * Stores that the first part is about to be sent, and with which token and retry key; null: the message was held back
 * meanwhile.
 */
async function begin({ db, clock }: ChannelWork, { lease, mailbox }: Batch, item: MailboxItemRow) {
  const retryKey = item.retry_key ?? randomUUID()
  const begun = { part: item.parts_sent, replyToken: item.reply_token, retryKey }
  return db.transaction().execute(async (db) => {
    await lease.hold(db)
    if (!(await startSending(db, item.id, retryKey))) return null
    if (item.retry_key !== null) return begun
    const replyToken = await takeReplyToken(db, mailbox.id, timestamp(clock()))
    if (replyToken !== null) await updateItems(db, [item.id], { reply_token: replyToken })
    return { ...begun, replyToken }
  })
}

/**
 * Uploads the files of a message before it is marked as being sent: an upload sends nothing, and may be repeated whatever
 * became of it.
 * @returns false if the message was given up
 * @throws TryAgain
 */
async function upload(
  tools: ChannelWork,
  batch: Batch,
  sender: ReturnType<typeof partSender>,
  files: readonly Attachment[],
): Promise<boolean> {
  try {
    await sender.upload(files)
    return true
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { outcome, reason, status, retryAfterMs: after } = error
    if (outcome !== 'refused' && !batch.isLastAttempt)
      throw new TryAgain(error.message, { after, code: reason, cause: error })
    await giveUp(tools, batch, { delivery: 'failed', reason, status })
    return false
  }
}

/**
 * Returns the reason why a message cannot be sent, or sent again, as far as Parley knows without asking the platform.
 */
async function findObstacle(
  { db, clock }: ChannelWork,
  { isActive, platform }: Channel,
  { mailbox, items: [item] }: Batch,
  byPerson: boolean,
): Promise<SendFailure | null> {
  // The process that sent it died before the platform answered.
  if (item?.state === 'sending' && !platform.resends)
    return { delivery: 'unknown', reason: reasonBefore(item) }
  const delivery = item?.state === 'sending' ? 'unknown' : 'failed'
  if (!isActive) return { delivery, reason: 'unreachable', code: 'channel_inactive' }
  const { writable_until } = await selectMailbox(db, mailbox.id)
  const isClosed = platform.replyWindowMs !== null && writable_until <= timestamp(clock())
  return isClosed && !byPerson ? { delivery, reason: 'window_closed' } : null
}

/** Tells whether the platform has refused what was sent, for example a button whose address it does not take. */
function isRejected(error: unknown): boolean {
  return error instanceof PlatformError && error.outcome === 'refused' && error.reason === 'rejected'
}

/** Returns the reason why an earlier attempt failed. A process that died stored none. */
function reasonBefore({ error }: MailboxItemRow): SendFailure['reason'] {
  return error === 'too_slow' ? error : 'unreachable'
}

/**
 * Returns a UUID (version 8, RFC 9562), the same for every attempt to send a part. The first part has the message's
 * own.
 */
function keyOfPart(retryKey: string, part: number): string {
  if (part === 0) return retryKey
  const hash = createHash('sha256').update(`${retryKey} ${part}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
