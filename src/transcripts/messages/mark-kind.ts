import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { MessageKind } from '../../platforms/message-kind.ts'
import type { Tables } from '../../storage/tables.ts'

/** Stores the kind of what a person sent in place of text, within a transaction. */
export async function markKind(db: Kysely<Tables>, messageId: number, kind: MessageKind): Promise<void> {
  const row = await db
    .updateTable('messages')
    .set({ kind })
    .where('id', '=', messageId)
    .returning(['agent_id', 'conversation_id'])
    .executeTakeFirst()
  if (row) changed(db, { type: 'message_changed', ...row, message_id: messageId })
}
