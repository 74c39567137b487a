import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { timestamp } from '../lib/clock.ts'
import { resolveThreads } from '../mailboxes/aliases.ts'
import { insertEcho, startSending, updateItems } from '../mailboxes/items.ts'
import { addressOf, selectMailbox, takeReplyToken } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow, MailboxRow } from '../mailboxes/tables.ts'
import { PlatformError, ReplyTokenRefused, type Sent } from '../platforms/platform.ts'
import type { TemplateUse } from '../platforms/template.ts'
import type { Tables } from '../storage/tables.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import { type Outgoing, readOutgoing } from '../transcripts/messages/read-outgoing.ts'
import { subjectOf } from '../transcripts/messages/subject-of.ts'
import { type Channel, webhookUrl } from './channel.ts'
import { type ChannelWork, counted, finish, tryAgainAfter, updateBatch } from './channel-work.ts'
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
  const { db } = tools
  const { platform } = channel
  const item = batch.items[0] as MailboxItemRow
  const message = item.message_id === null ? undefined : await readOutgoing(db, item.message_id)
  const byPerson = message?.role === 'operator'
  const obstacle = await findObstacle(tools, channel, batch, byPerson)
  if (obstacle) return giveUp(tools, batch, obstacle)

  const template = message?.template ? (JSON.parse(message.template) as TemplateUse) : null
  // The platform puts a template together, with the file above its text.
  const limits: typeof WHOLE | Channel['platform'] = template ? WHOLE : platform
  let parts = message ? outgoingParts(message, await listsSources(db, message, channel), limits) : NOTHING
  const sender = partSender(tools, channel)
  if (!(await upload(tools, batch, sender, filesFrom(parts, item.parts_sent)))) return
  const present = await selectMailbox(db, batch.mailbox.id)
  const { answers_to: answersTo, conversation_id } = present
  const thread = addressOf(present)
  const subject = platform.hasSubjects && conversation_id ? await subjectOf(db, conversation_id) : null
  const place = {
    ...{ thread, answersTo, subject, byPerson, webhookUrl: webhookUrl(tools.baseUrl(), channel) },
    afterWindow: isWindowClosed(platform, present, tools.clock()),
  }

  const begun = await begin(tools, batch, item)
  if (!begun) return
  let { part, replyToken } = begun
  let mayHaveGoneOut = item.state === 'sending'
  // No part is left to send, for example because the text became shorter when it was redacted.
  if (part >= countOf(parts)) return storeSent(tools, batch, thread, part, null, true)
  for (let found = nextParts(parts, part, limits); found; found = nextParts(parts, part, limits)) {
    const { next, end } = found
    const retryKey = keyOfPart(begun.retryKey, part)
    const call = sender.send(next, { ...place, replyToken, retryKey, template })
    const sent = await counted(tools, channel, call).catch((error: Error) => error)
    if (sent instanceof ReplyTokenRefused) {
      // If an earlier attempt used the token, these texts may have been sent. Otherwise they are sent without it.
      if (mayHaveGoneOut) return giveUp(tools, batch, { delivery: 'unknown', reason: reasonBefore(item) })
      replyToken = null
      await updateBatch(batch, { reply_token: null })
    } else if (isRejected(sent) && 'buttons' in next && next.buttons.length > 0) {
      parts = withoutButtons(parts, part, platform)
    } else if (sent instanceof Error) {
      return fail(tools, channel, batch, sent, mayHaveGoneOut)
    } else {
      part = end
      replyToken = null
      mayHaveGoneOut = false
      await storeSent(tools, batch, thread, part, sent, part >= countOf(parts))
    }
  }
}

async function listsSources(db: Kysely<Tables>, { role, citations }: Outgoing, { agentId }: Channel) {
  if (role !== 'assistant' || citations === null) return false
  return (await readAgent(db, agentId)).settings.cite_in_channels
}

/**
 * Stores how many parts are sent, and that all ids of the person lead to this chat. After the last part the message
 * counts as sent, unless it never had any.
 */
async function storeSent(
  { db, clock }: ChannelWork,
  batch: Batch,
  address: string,
  parts_sent: number,
  sent: Sent | null,
  isLast: boolean,
): Promise<void> {
  const { mailbox, lease } = batch
  const { id, message_id } = batch.items[0] as MailboxItemRow
  await db.transaction().execute(async (db) => {
    // Ids are locked before the mailbox, whose lease this is.
    if (sent) await keepIds(db, mailbox, address, sent)
    await lease.hold(db)
    await updateItems(db, [id], { parts_sent, reply_token: null })
    const now = timestamp(clock())
    if (sent && sent.echoId !== null) await insertEcho(db, mailbox, sent.echoId, message_id, now)
    if (!isLast) return
    if (message_id !== null) await markDelivery(db, message_id, parts_sent > 0 ? 'sent' : null)
    await finish(db, batch, 'done', now)
  })
}

async function keepIds(
  db: Kysely<Tables>,
  { channel_id: channelId, thread }: MailboxRow,
  address: string,
  { ids = [] }: Sent,
): Promise<void> {
  const others = ids.filter((id) => id !== thread && id !== address)
  if (others.length === 0) return
  await resolveThreads(db, [{ channelId, thread, ids: [thread, ...others], newIds: [] }])
}

/** Ends an attempt that failed. @throws TryAgain when another attempt is due */
async function fail(
  tools: ChannelWork,
  { platform }: Channel,
  batch: Batch,
  error: Error,
  mayHaveGoneOutBefore: boolean,
): Promise<void> {
  if (!(error instanceof PlatformError)) throw error
  const { outcome, reason, status } = error
  const mayHaveGoneOut = mayHaveGoneOutBefore || outcome === 'unknown'
  const mayRepeat = outcome === 'not_sent' || (outcome === 'unknown' && platform.resends)
  if (!mayRepeat || batch.isLastAttempt)
    return giveUp(tools, batch, { delivery: mayHaveGoneOut ? 'unknown' : 'failed', reason, status })
  if (!mayHaveGoneOut) await updateBatch(batch, { state: 'waiting' })
  throw tryAgainAfter(error)
}

/**
 * Stores that the first part is about to be sent, and with which token and retry key; null: the message was held back
 * meanwhile.
 */
async function begin({ clock }: ChannelWork, { lease, mailbox }: Batch, item: MailboxItemRow) {
  const retryKey = item.retry_key ?? randomUUID()
  const begun = { part: item.parts_sent, replyToken: item.reply_token, retryKey }
  return lease.transaction(async (db) => {
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
    const { outcome, reason, status } = error
    if (outcome !== 'refused' && !batch.isLastAttempt) throw tryAgainAfter(error)
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
  const isClosed = isWindowClosed(platform, await selectMailbox(db, mailbox.id), clock())
  return isClosed && !byPerson ? { delivery, reason: 'window_closed' } : null
}

function isWindowClosed(
  { replyWindowMs }: Channel['platform'],
  { writable_until }: Pick<MailboxRow, 'writable_until'>,
  nowMs: number,
): boolean {
  return replyWindowMs !== null && writable_until <= timestamp(nowMs)
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
