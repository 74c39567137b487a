import { index, type Step } from '../migration.ts'

/** Deletes the search terms of bulk acts, and finds unanswered questions by their completion. */
export const steps: readonly Step[] = [
  async (db) => {
    await db.updateTable('bulk_acts').set({ filter: null }).where('state', '!=', 'gathering').execute()
  },
  index('unanswered_questions_completions', (create) =>
    create.on('unanswered_questions').column('completion_id'),
  ),
]
