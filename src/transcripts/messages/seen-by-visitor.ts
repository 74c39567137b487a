import type { Kysely } from 'kysely'
import { noteSeen } from '../../mailboxes/continuations.ts'
import { lockMailboxOf } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import { markRead } from './mark-delivery.ts'

/**
 * Notes that the visitor of a widget has seen a conversation up to a message: nothing of it goes by mail any more, and
 * what has gone counts as seen. Nothing is kept of a conversation that does not go on by mail.
 */
export async function seenByVisitor(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  now: string,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const [mailbox] = await lockMailboxOf(db, { conversation_id: conversationId })
    if (!mailbox) return
    await markRead(db, conversationId, { upTo: messageId, until: null })
    await noteSeen(db, mailbox.id, messageId, now)
  })
}
