import type { Kysely } from 'kysely'
import { SCRUBBED } from '../../redaction/scrubbed.ts'
import type { Tables } from '../../storage/tables.ts'
import type { WrittenRow } from '../../texts/written-row.ts'

/** Reads where a message of an agent belongs, and how it was redacted. */
export async function findRedactable(db: Kysely<Tables>, agentId: number, messageId: number) {
  return db
    .selectFrom('messages')
    .select(['conversation_id', 'completion_id', 'redacted'])
    .where('id', '=', messageId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
}

/** Overwrites the text of a message, or scrubs the message. @param text null: scrub it */
export async function overwriteMessage(
  db: Kysely<Tables>,
  messageId: number,
  text: string | null,
): Promise<WrittenRow> {
  const before = await db
    .selectFrom('messages')
    .select(['content', 'author'])
    .where('id', '=', messageId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const after = {
    content: JSON.stringify(text ?? SCRUBBED),
    ...(text === null ? { redacted: 'scrub' as const, author: null, shown_as: null } : {}),
  }
  await db.updateTable('messages').set(after).where('id', '=', messageId).execute()
  return { table: 'messages', id: messageId, before, after: { ...before, ...after } }
}
