import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteEvaluatorRow, lockEvaluators } from './store.ts'

/** Tells whether a rule of the agent uses an evaluator. */
export type IsInUse = (db: Kysely<Tables>, evaluatorId: number) => Promise<boolean>

/**
 * Deletes an evaluator that no rule uses.
 * @throws ApiError evaluator_not_found or evaluator_in_use
 */
export async function deleteEvaluator(
  db: Kysely<Tables>,
  agentId: number,
  id: number,
  isInUse: IsInUse,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const [row] = await lockEvaluators(db, agentId, [id])
    if (!row) throw new ApiError('evaluator_not_found')
    if (await isInUse(db, id)) throw new ApiError('evaluator_in_use')
    await deleteEvaluatorRow(db, id)
    await record(db, { ...by, agentId, at: now, action: 'evaluator.removed', target: `evaluator ${id}` })
  })
}
