import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { lastCompletionId } from './store.ts'

/**
 * The conversation's latest completion. What people add to the conversation belongs to it and is redacted with it. If
 * it was redacted already, this marks it to be redacted again. Call it in the transaction that adds the text.
 * @returns null when the conversation has none
 */
export async function latestCompletion(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const id = await lastCompletionId(db, conversationId)
  if (id) await db.updateTable('completions').set({ redacted: null }).where('id', '=', id).execute()
  return id
}
