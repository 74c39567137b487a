import type { Kysely } from 'kysely'
import type { MessageKind } from '../../platforms/message-kind.ts'
import type { Tables } from '../../storage/tables.ts'

/** Writes down that what a person sent is no text. */
export async function markKind(db: Kysely<Tables>, messageId: number, kind: MessageKind): Promise<void> {
  await db.updateTable('messages').set({ kind }).where('id', '=', messageId).execute()
}
