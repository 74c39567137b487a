import type { Kysely } from 'kysely'
import { selectWaitingSends, updateItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import { answersAmong } from '../transcripts/messages/read-outgoing.ts'

/** Takes the agent's unsent answers out of a mailbox, and marks them as held back. */
export async function dropUnsentAnswers(db: Kysely<Tables>, mailboxId: number, now: string): Promise<void> {
  const waiting = await selectWaitingSends(db, mailboxId)
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
