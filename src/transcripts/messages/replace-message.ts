import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import { SCRUBBED } from '../../redaction/scrubbed.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ForgetCopies } from '../redaction/forget-copies.ts'
import { lockCompletions } from '../redaction/redaction-store.ts'
import { completionsIn } from '../redaction/waiting-for-redaction.ts'
import { reindex } from '../search/reindex.ts'

/**
 * Replaces a message with the text to which its writer edited it, or redacts it if the writer took it back. Deletes
 * other copies of its text. A redacted message stays redacted. Runs within a transaction; call `eraseOverwritten` after
 * it.
 * @param text null: the message was taken back
 */
export async function replaceMessage(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock'>,
  agentId: number,
  messageId: number,
  text: string | null,
  forgetCopies: ForgetCopies,
): Promise<void> {
  const message = await db
    .selectFrom('messages')
    .select(['conversation_id', 'completion_id', 'redacted'])
    .where('id', '=', messageId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!message || (text !== null && message.redacted !== null)) return
  const completionId = message.completion_id
  if (completionId) await lockCompletions(db, [completionId])
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
  // Evaluations may quote the old text.
  if (completionId)
    await db
      .updateTable('evaluations')
      .set({ content: SCRUBBED })
      .where('completion_id', '=', completionId)
      .where('subject', '=', 'prompt')
      .where('content', 'is not', null)
      .execute()
  await reindex(db, engine, agentId, [
    { table: 'messages', id: messageId, before, after: { ...before, ...after } },
  ])
  if (completionId) {
    const mode = text === null ? 'scrub' : 'anonymize'
    await forgetCopies(db, completionsIn(db, agentId, { completionId }, mode), mode)
  }
  const { conversation_id } = message
  changed(db, { type: 'message_changed', agent_id: agentId, conversation_id, message_id: messageId })
}
