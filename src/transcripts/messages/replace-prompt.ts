import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Stores the text that models see in place of what the user wrote in a prompt. */
export async function replacePrompt(db: Kysely<Tables>, completionId: string, text: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ shown_as: JSON.stringify(text) })
    .where('completion_id', '=', completionId)
    .where('role', '=', 'user')
    .execute()
}
