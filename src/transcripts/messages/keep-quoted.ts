import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { Tables } from '../../storage/tables.ts'

/** Stores what a person's message quotes below what it says, for people alone, within the transaction that stores it. */
export async function keepQuoted(
  db: Kysely<Tables>,
  messageId: number,
  quoted: string | undefined,
): Promise<void> {
  if (quoted === undefined) return
  const row = await db
    .updateTable('messages')
    .set({ quoted })
    .where('id', '=', messageId)
    .where('redacted', 'is', null)
    .returning(['agent_id', 'conversation_id'])
    .executeTakeFirst()
  if (row) changed(db, { type: 'message_changed', ...row, message_id: messageId })
}
