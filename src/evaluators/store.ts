import type { Insertable, Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { pageOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { EvaluatorRow, EvaluatorsTable } from './tables.ts'

type Db = Kysely<Tables>

export const selectEvaluator = prepared((db, param: ParamOf<{ agent_id: number; id: number }>) =>
  db
    .selectFrom('evaluators')
    .selectAll()
    .where('agent_id', '=', param('agent_id'))
    .where('id', '=', param('id')),
)

export const selectEvaluators = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db.selectFrom('evaluators').selectAll().where('agent_id', '=', param('agent_id')).orderBy('id'),
)

/** Reads a page of an agent's evaluators, newest first. */
export const selectEvaluatorsPage = pageOfAgent((db) => db.selectFrom('evaluators').selectAll())

/**
 * Returns the agent's evaluators among the given ids, and keeps others from changing them until the transaction ends.
 */
export async function lockEvaluators(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<EvaluatorRow[]> {
  return db
    .selectFrom('evaluators')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function insertEvaluator(db: Db, row: Insertable<EvaluatorsTable>): Promise<EvaluatorRow> {
  return db.insertInto('evaluators').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateEvaluatorRow(
  db: Db,
  id: number,
  values: Partial<Omit<EvaluatorRow, 'id' | 'agent_id' | 'kind' | 'created_at'>>,
): Promise<EvaluatorRow> {
  return db
    .updateTable('evaluators')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteEvaluatorRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('evaluators').where('id', '=', id).execute()
}
