import type { Kysely } from 'kysely'
import { SCRUBBED } from '../../redaction/scrubbed.ts'
import type { Tables } from '../../storage/tables.ts'
import { lockCompletions, wipeDeliveries } from '../redaction/redaction-store.ts'

/**
 * Puts what a person made of a message afterwards in its place, or its redaction when the person took it back; other
 * copies of the text go. A redacted message stays redacted. Within a transaction; erase what was overwritten after it.
 * @param text null: it was taken back
 */
export async function replaceMessage(
  db: Kysely<Tables>,
  agentId: number,
  messageId: number,
  text: string | null,
): Promise<void> {
  const message = await db
    .selectFrom('messages')
    .select(['completion_id', 'redacted'])
    .where('id', '=', messageId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!message || (text !== null && message.redacted !== null)) return
  const completionId = message.completion_id
  if (completionId) {
    await lockCompletions(db, [completionId])
    await wipeDeliveries(db, agentId, { completionId }, 'scrub')
    // They may quote what was there before.
    await db
      .updateTable('evaluations')
      .set({ content: SCRUBBED })
      .where('completion_id', '=', completionId)
      .where('subject', '=', 'prompt')
      .where('content', 'is not', null)
      .execute()
  }
  await db
    .updateTable('messages')
    .set({
      content: JSON.stringify(text ?? SCRUBBED),
      ...(text === null ? { redacted: 'scrub', author: null, shown_as: null } : {}),
    })
    .where('id', '=', messageId)
    .execute()
}
