import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import type { MailboxItemRow, MailboxRow } from './tables.ts'

type Db = Kysely<Tables>

/** The time for which a reply token is used. Platforms accept it for about a minute after the event. */
const REPLY_TOKEN_MS = 50_000

export async function selectMailbox(db: Db, id: number): Promise<MailboxRow> {
  return db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Stores a mailbox's conversation, the token that makes its next answer free, where answers go and what they refer to. */
export async function bindMailbox(
  db: Db,
  mailbox: Pick<MailboxRow, 'id' | 'thread' | 'address' | 'answers_to' | 'conversation_id' | 'unseen_ms'>,
  conversationId: string,
  {
    replyToken = null,
    address: given,
    answersTo = mailbox.answers_to,
  }: { replyToken?: string | null; address?: string; answersTo?: string | null } = {},
  item?: Pick<MailboxItemRow, 'created_at'>,
): Promise<void> {
  // A visitor's address is stored in `continuations` only, so that it can be forgotten.
  const address = (mailbox.unseen_ms === null ? given : undefined) ?? addressOf(mailbox)
  const until = item ? timestamp(Date.parse(item.created_at) + REPLY_TOKEN_MS) : null
  const isSame =
    mailbox.conversation_id === conversationId &&
    address === addressOf(mailbox) &&
    answersTo === mailbox.answers_to
  if (replyToken === null && isSame) return
  await db
    .updateTable('mailboxes')
    .set({
      conversation_id: conversationId,
      address,
      answers_to: answersTo,
      ...(replyToken === null ? {} : { reply_token: replyToken, reply_token_until: until }),
    })
    .where('id', '=', mailbox.id)
    .execute()
  mailbox.conversation_id = conversationId
  mailbox.address = address
  mailbox.answers_to = answersTo
}

/** Returns the address to which the answers of a chat go. */
export function addressOf({ address, thread }: Pick<MailboxRow, 'address' | 'thread'>): string {
  return address ?? thread
}

export async function setAddress(db: Db, mailboxId: number, address: string): Promise<void> {
  await db.updateTable('mailboxes').set({ address }).where('id', '=', mailboxId).execute()
}

/** Removes and returns the reply token of a mailbox; null when there is none that the platform still accepts. */
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

export async function setHandedOver(db: Db, mailboxId: number, at: string | null): Promise<void> {
  await db.updateTable('mailboxes').set({ handed_over_at: at }).where('id', '=', mailboxId).execute()
}

export async function setUnsupportedAt(db: Db, mailboxId: number, at: string): Promise<void> {
  await db.updateTable('mailboxes').set({ unsupported_at: at }).where('id', '=', mailboxId).execute()
}
