import { type Kysely, sql } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { updateItems } from '../mailboxes/items.ts'
import type { MailboxItemRow, MailboxRow } from '../mailboxes/tables.ts'
import type { InboundBase } from '../platforms/platform.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import { answersAmong } from '../transcripts/messages/read-outgoing.ts'

type Db = Kysely<Tables>

/** What of an inbound event is kept as an item's payload. */
export type Payload<Event extends InboundBase> = Omit<Event, keyof InboundBase | 'type'> & {
  /** The id under which a person wrote who may have several: answers go there. */
  address?: string
}

/** Platforms take a reply token for about a minute after the event. */
const REPLY_TOKEN_MS = 50_000

/** Ties a mailbox to its conversation, and keeps the token that makes the next answer free and where answers go. */
export async function bindMailbox(
  db: Db,
  mailbox: Pick<MailboxRow, 'id' | 'thread' | 'address' | 'conversation_id'>,
  conversationId: string,
  { replyToken = null, address = addressOf(mailbox) }: { replyToken?: string | null; address?: string } = {},
  item?: Pick<MailboxItemRow, 'created_at'>,
): Promise<void> {
  const until = item ? timestamp(Date.parse(item.created_at) + REPLY_TOKEN_MS) : null
  const isSame = mailbox.conversation_id === conversationId && address === addressOf(mailbox)
  if (replyToken === null && isSame) return
  await db
    .updateTable('mailboxes')
    .set({
      conversation_id: conversationId,
      address,
      ...(replyToken === null ? {} : { reply_token: replyToken, reply_token_until: until }),
    })
    .where('id', '=', mailbox.id)
    .execute()
  mailbox.conversation_id = conversationId
  mailbox.address = address
}

/** Where the answers of a chat go. */
export function addressOf({ address, thread }: Pick<MailboxRow, 'address' | 'thread'>): string {
  return address ?? thread
}

export async function setAddress(db: Db, mailboxId: number, address: string): Promise<void> {
  await db.updateTable('mailboxes').set({ address }).where('id', '=', mailboxId).execute()
}

export async function setUnsupportedAt(db: Db, mailboxId: number, at: string): Promise<void> {
  await db.updateTable('mailboxes').set({ unsupported_at: at }).where('id', '=', mailboxId).execute()
}

/** The item that brought a message, by the platform's id of it. */
export async function selectMessageItem(
  db: Db,
  channelId: number,
  platformMessageId: string,
): Promise<Pick<MailboxItemRow, 'id' | 'payload' | 'message_id'> | undefined> {
  return db
    .selectFrom('mailbox_items')
    .select(['id', 'payload', 'message_id'])
    .where('channel_id', '=', channelId)
    .where('platform_message_id', '=', platformMessageId)
    .where('kind', '=', 'message')
    .executeTakeFirst()
}

/** Takes a mailbox's reply token out of it; null when there is none that the platform still takes. */
export async function takeReplyToken(db: Db, mailboxId: number, now: string): Promise<string | null> {
  const { reply_token: token, reply_token_until: until } = await selectMailbox(db, mailboxId)
  if (token === null) return null
  await db
    .updateTable('mailboxes')
    .set({ reply_token: null, reply_token_until: null })
    .where('id', '=', mailboxId)
    .execute()
  return (until ?? '') > now ? token : null
}

/** What waits in a mailbox and tells that people have taken the conversation over. */
export const selectTakeovers = prepared((db, param: ParamOf<{ mailbox_id: number }>) =>
  db
    .selectFrom('mailbox_items')
    .selectAll()
    .where('mailbox_id', '=', param('mailbox_id'))
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where(sql<boolean>`kind in ('takeover', 'handed_over')`)
    .orderBy('id'),
)

/**
 * Keeps the id with which the platform will tell of what Parley sent, or has told of it already: what comes under it is
 * no person's answer.
 */
export async function insertEcho(
  db: Db,
  mailbox: Pick<MailboxRow, 'id' | 'channel_id'>,
  echoId: string,
  messageId: number | null,
  now: string,
): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .values({
      mailbox_id: mailbox.id,
      channel_id: mailbox.channel_id,
      source_id: echoId,
      kind: 'echo',
      message_id: messageId,
      state: 'done',
      due_at: now,
      created_at: now,
      finished_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'source_id'])
        .doUpdateSet({ state: 'done', payload: null, message_id: messageId, finished_at: now })
        .where('mailbox_items.state', '=', 'waiting'),
    )
    .execute()
}

/** Takes the agent's answers that the platform had no room for yet out of a mailbox: they are held back. */
export async function dropUnsentAnswers(db: Db, mailboxId: number, now: string): Promise<void> {
  const waiting = await db
    .selectFrom('mailbox_items')
    .select(['id', 'message_id'])
    .where('mailbox_id', '=', mailboxId)
    .where('kind', '=', 'send')
    .where('state', '=', 'waiting')
    .execute()
  const answers = await answersAmong(
    db,
    waiting.flatMap(({ message_id }) => message_id ?? []),
  )
  const unsent = waiting.filter(({ message_id }) => message_id !== null && answers.has(message_id))
  if (unsent.length === 0) return
  const values = { state: 'failed', error: 'taken_over', finished_at: now } as const
  await updateItems(
    db,
    unsent.map(({ id }) => id),
    values,
  )
  for (const messageId of answers) await markDelivery(db, messageId, null)
}

/** The message that the platform knows under an id, of those that went out; null when there is none. */
export async function selectSentMessage(db: Db, channelId: number, echoId: string): Promise<number | null> {
  const echo = await db
    .selectFrom('mailbox_items')
    .select('message_id')
    .where('channel_id', '=', channelId)
    .where('source_id', '=', echoId)
    .executeTakeFirst()
  return echo?.message_id ?? null
}

/** Parks the item that sent a message, so that the message can be sent again. */
export async function parkSent(db: Db, messageId: number, reason: string, now: string): Promise<void> {
  await db
    .updateTable('mailbox_items')
    .set({ state: 'parked', error: reason, parts_sent: 0, retry_key: null, finished_at: now })
    .where('message_id', '=', messageId)
    .where('kind', '=', 'send')
    .where('state', '=', 'done')
    .execute()
}

export async function setHandedOver(db: Db, mailboxId: number, at: string | null): Promise<void> {
  await db.updateTable('mailboxes').set({ handed_over_at: at }).where('id', '=', mailboxId).execute()
}

export async function selectMailbox(db: Db, id: number): Promise<MailboxRow> {
  return db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
