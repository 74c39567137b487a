import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { deleteUnanswered } from './unanswered-store.ts'

/** Removes a question from the list of unanswered ones. @throws ApiError question_not_found */
export async function dismissUnanswered(
  db: Kysely<Tables>,
  agentId: number,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await deleteUnanswered(db, agentId, id))) throw new ApiError('question_not_found')
    await record(db, { ...by, agentId, at: now, action: 'question.dismissed', target: `question ${id}` })
  })
}
