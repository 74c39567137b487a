import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Attachment, readAttachments } from '../attachments.ts'

/**
 * Changes what a message says of one of its files, within a transaction.
 * @returns the file; undefined, with nothing changed, if it was deleted
 */
export async function changeAttachment(
  db: Kysely<Tables>,
  messageId: number,
  id: string,
  values: Partial<Omit<Attachment, 'id'>>,
): Promise<Attachment | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('attachments')
    .where('id', '=', messageId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const attachments = readAttachments(row?.attachments ?? null) ?? []
  const present = attachments.find((one) => one.id === id && one.state !== 'deleted')
  if (!present) return
  // A reason holds for the state that it came with.
  const changed = { ...present, reason: null, ...values }
  await giveAttachments(
    db,
    messageId,
    attachments.map((one) => (one === present ? changed : one)),
  )
  return changed
}

/** Gives a message its files, within a transaction. */
export async function giveAttachments(
  db: Kysely<Tables>,
  messageId: number,
  attachments: readonly Attachment[],
): Promise<void> {
  const row = await db
    .updateTable('messages')
    .set({ attachments: JSON.stringify(attachments) })
    .where('id', '=', messageId)
    .returning(['agent_id', 'conversation_id'])
    .executeTakeFirst()
  if (row) changed(db, { type: 'message_changed', ...row, message_id: messageId })
}
