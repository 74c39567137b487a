import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { UnansweredQuestionsTable } from './tables.ts'

type Db = Kysely<Tables>

export type UnansweredRow = Selectable<UnansweredQuestionsTable>

/** Counts a question that was not answered. */
export async function putUnanswered(
  db: Db,
  asked: Pick<UnansweredRow, 'agent_id' | 'words_hash' | 'conversation_id' | 'completion_id'>,
  at: string,
): Promise<void> {
  await db
    .insertInto('unanswered_questions')
    .values({ ...asked, count: 1, first_asked_at: at, last_asked_at: at })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'words_hash']).doUpdateSet(({ ref }) => ({
        count: sql`unanswered_questions.count + 1`,
        last_asked_at: ref('excluded.last_asked_at'),
        conversation_id: ref('excluded.conversation_id'),
        completion_id: ref('excluded.completion_id'),
      })),
    )
    .execute()
}

/** Selects an agent's unanswered questions, those that were asked last first. */
export async function selectUnanswered(
  db: Db,
  agentId: number,
  request: PageRequest,
): Promise<Page<UnansweredRow>> {
  const query = db.selectFrom('unanswered_questions').selectAll()
  const key = ['last_asked_at', 'id'] as const
  return selectPage(db, { query, of: { agent_id: agentId }, key, order: 'desc' }, request)
}

/** Deletes a question. Returns false if there was none. */
export async function deleteUnanswered(db: Db, agentId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unanswered_questions')
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes the questions that were last asked in some completions. @param completions a query for their ids */
export async function forgetQuestions(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
): Promise<void> {
  await db.deleteFrom('unanswered_questions').where('completion_id', 'in', completions).execute()
}
