import type { Kysely } from 'kysely'
import { selectWaitingSends, updateItems } from '../../mailboxes/items.ts'
import type { Tables } from '../../storage/tables.ts'
import { markDelivery } from './mark-delivery.ts'
import { answersAmong } from './read-outgoing.ts'

/**
 * Takes the agent's unsent answers out of the mailbox of a conversation, and marks them as held back. An answer stays
 * while an attempt to send it is under way, or may have succeeded.
 * @param db a transaction that has locked the mailbox, or holds its lease
 */
export async function dropUnsentAnswers(
  db: Kysely<Tables>,
  conversationId: string,
  now: string,
): Promise<void> {
  const waiting = await selectWaitingSends(db, { conversation_id: conversationId })
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
