import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../tables.ts'

/** Reads a conversation's latest completion; undefined: it has none. */
export async function newestCompletion(
  db: Kysely<Tables>,
  conversationId: string,
): Promise<CompletionRow | undefined> {
  return db
    .selectFrom('completions')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the id of the conversation's latest completion. Texts that people add to the conversation belong to it and
 * are redacted with it. If it was redacted already, this marks it to be redacted again. Call this in the transaction
 * that adds the text.
 * @returns null when the conversation has no completion
 */
export async function latestCompletion(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const latest = await newestCompletion(db, conversationId)
  if (!latest) return null
  await db.updateTable('completions').set({ redacted: null }).where('id', '=', latest.id).execute()
  return latest.id
}
