import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * Returns the id of the conversation's latest completion. Texts that people add to the conversation belong to it and
 * are redacted with it. If it was redacted already, this marks it to be redacted again. Call this in the transaction
 * that adds the text.
 * @returns null when the conversation has no completion
 */
export async function latestCompletion(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const latest = await db
    .selectFrom('completions')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!latest) return null
  await db.updateTable('completions').set({ redacted: null }).where('id', '=', latest.id).execute()
  return latest.id
}
