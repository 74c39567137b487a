import { type Kysely, sql } from 'kysely'
import { dropWaitingSends, type MailboxesOf } from '../../mailboxes/items.ts'
import type { Tables } from '../../storage/tables.ts'
import { markHeldBack } from './mark-delivery.ts'

/**
 * Takes the agent's unsent answers out of mailboxes, and marks them as held back. An answer stays while an attempt to
 * send it is under way, or may have succeeded.
 * @param of the conversation, whose mailbox the transaction has locked or holds the lease of, or the whole agent, which
 * it has locked
 */
export async function dropUnsentAnswers(db: Kysely<Tables>, of: MailboxesOf, now: string): Promise<void> {
  // A subquery that gives one value is looked up for each message, never turned into a reading of all.
  const roleOf = db.selectFrom('messages').select('role')
  const dropped = await dropWaitingSends(
    db,
    of,
    (messageId) => sql<boolean>`${roleOf.where('messages.id', '=', messageId)} = 'assistant'`,
    now,
  )
  await markHeldBack(db, dropped)
}
