import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Empties what people searched for in bulk acts, and finds unanswered questions by their completion. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.updateTable('bulk_acts').set({ filter: null }).where('state', '!=', 'gathering').execute()
  await db.schema
    .createIndex('unanswered_questions_completions')
    .on('unanswered_questions')
    .column('completion_id')
    .execute()
}
