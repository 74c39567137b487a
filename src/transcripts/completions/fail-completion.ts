import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Ends a completion whose turn is given up, unless it has ended already. */
export async function failCompletion(db: Kysely<Tables>, id: string, now: string): Promise<void> {
  await db
    .updateTable('completions')
    .set({ answered_at: now, finish_reason: 'error', error_code: 'model_failed' })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .execute()
}

/** Reopens a completion that failed, so that its turn can be taken up again. One that was answered stays as it is. */
export async function reopenCompletion(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('completions')
    .set({ answered_at: null, finish_reason: null, error_code: null })
    .where('id', '=', id)
    .where('error_code', 'is not', null)
    .execute()
}
