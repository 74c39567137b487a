import { createHash, randomUUID } from 'node:crypto'
import { timestamp } from '../lib/clock.ts'
import { inSpan } from '../lib/tracing.ts'
import { updateItems } from '../mailboxes/items.ts'
import { type Batch, TryAgain } from '../mailboxes/runner.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { cutText } from '../platforms/cut-text.ts'
import { PlatformError, type Sent } from '../platforms/platform.ts'
import { type Cta, ctaText } from '../rules/cta.ts'
import type { MailboxItemRow } from '../storage/tables.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish, finishFailed } from './channel-work.ts'
import {
  dropReplyToken,
  insertEcho,
  selectMailbox,
  selectOutgoing,
  selectReplyToken,
} from './mailbox-store.ts'

/**
 * Sends a stored message through its channel, in as many parts as the platform's limit asks for and as few calls as it
 * allows. Its text is read now, so that it goes out as redacted as it is. `sending` is stored before a part leaves:
 * when the outcome is not known, it is sent again only where the platform has a key that makes a repeat harmless.
 * @throws TryAgain when the platform certainly did not take it and may later
 */
export async function sendMessage(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db, clock, http } = tools
  const { lease, mailbox } = batch
  const item = batch.items[0] as MailboxItemRow
  const { platform, settings } = channel
  const fail = (reason: string, status: number | null = null) => {
    const state = reason === 'unknown' ? ('unknown' as const) : ('failed' as const)
    return finishFailed(tools, batch, { state, code: 'channel_send_failed', reason, status })
  }
  const message = item.message_id === null ? undefined : await selectOutgoing(db, item.message_id)
  const parts = message ? cutText(textOf(message), platform.textLimit) : []
  if (!channel.isActive) return fail('channel_inactive')
  const isRetry = item.state === 'sending'
  if (isRetry && !platform.resends) return fail('unknown')
  const byPerson = message?.role === 'operator'
  const { writable_until } = await selectMailbox(db, mailbox.id)
  if (!byPerson && platform.replyWindowMs !== null && writable_until <= timestamp(clock()))
    return fail('window_closed')

  const retryKey = item.retry_key ?? randomUUID()
  const reply = await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await updateItems(db, [item.id], { state: 'sending', retry_key: retryKey })
    const reply = await selectReplyToken(db, mailbox.id, timestamp(clock()))
    if (reply && !reply.isFresh) await dropReplyToken(db, mailbox.id)
    return reply
  })
  // A token is kept until its reply is known to have gone out: what died with this one may have used it, and while it
  // is fresh the platform itself tells.
  if (isRetry && reply?.isFresh === false) return fail('unknown')
  const replyToken = reply?.isFresh ? reply.token : null
  for (let part = item.parts_sent; part < parts.length; part += platform.textsAtOnce) {
    const [first = '', ...more] = parts.slice(part, part + platform.textsAtOnce)
    const sentWithThese = part + 1 + more.length
    let sent: Sent
    try {
      sent = await inSpan('channel send', 'internal', { 'parley.platform': platform.kind }, () =>
        platform.send(http, settings, {
          thread: mailbox.thread,
          texts: [first, ...more],
          replyToken: part === item.parts_sent ? replyToken : null,
          retryKey: part === 0 ? retryKey : keyOfPart(retryKey, part),
          isRetry: isRetry && part === item.parts_sent,
          byPerson,
        }),
      )
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.failure !== 'retry') return fail(error.failure, error.status)
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await updateItems(db, [item.id], { state: 'waiting' })
      })
      throw new TryAgain(error.message, { after: error.retryAfterMs, cause: error })
    }
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await updateItems(db, [item.id], { parts_sent: sentWithThese })
      if (replyToken !== null && part === item.parts_sent) await dropReplyToken(db, mailbox.id)
      if (sent.echoId !== null) await insertEcho(db, mailbox, sent.echoId, timestamp(clock()))
      if (sentWithThese === parts.length) await finish(db, batch, 'done', timestamp(clock()))
    })
  }
  if (item.parts_sent < parts.length) return
  await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await finish(db, batch, 'done', timestamp(clock()))
  })
}

/** What is sent: the message, and the calls to action of an answer with their links below it. */
function textOf({ role, content, ctas }: { role: string; content: string; ctas: string | null }): string {
  const text = textOfContent(JSON.parse(content))
  const attached = role === 'assistant' && ctas !== null ? (JSON.parse(ctas) as Cta[]) : []
  return [text, ...attached.map(ctaText)].join('\n\n')
}

/** A UUID (version 8, RFC 9562) that is the same for every attempt to send one part. */
function keyOfPart(retryKey: string, part: number): string {
  const hash = createHash('sha256').update(`${retryKey} ${part}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
