import type { Kysely } from 'kysely'
import { contentWithoutFiles, withoutFiles } from '../../redaction/files-of-message.ts'
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
    .select(['content', 'author', 'attachments'])
    .where('id', '=', messageId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const content = JSON.stringify(text ?? SCRUBBED)
  const after = text === null ? { ...scrubbed(content, before), redacted: 'scrub' as const } : { content }
  await db.updateTable('messages').set(after).where('id', '=', messageId).execute()
  return { table: 'messages', id: messageId, before, after: { ...before, ...after } }
}

function scrubbed(content: string, before: { content: string; attachments: string | null }) {
  const others = { author: null, shown_as: null, quoted: null, mailed_to: null }
  if (before.attachments === null) return { ...others, content }
  const attachments = withoutFiles(before.attachments)
  return { ...others, content: contentWithoutFiles(before.content, content, attachments), attachments }
}
