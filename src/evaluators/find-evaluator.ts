import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../errors.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { lockEvaluators, selectEvaluator, selectEvaluators } from './store.ts'
import type { EvaluatorRow } from './tables.ts'

/**
 * Finds an evaluator of an agent by the `{id}` of a path.
 * @throws ApiError evaluator_not_found
 */
export async function findEvaluator(db: Kysely<Tables>, agentId: number, id: string): Promise<EvaluatorRow> {
  const [row] = await selectEvaluator(db, { agent_id: agentId, id: rowId(id) })
  if (!row) throw new ApiError('evaluator_not_found')
  return row
}

/** Reads every evaluator of an agent, oldest first. One query serves all rules of a prompt. */
export async function listEvaluators(db: Kysely<Tables>, agentId: number): Promise<EvaluatorRow[]> {
  return selectEvaluators(db, { agent_id: agentId })
}

/**
 * Checks, in a transaction, that a rule may name these evaluators, and keeps them from being deleted until it ends.
 * @param param the rule's field that names them
 * @throws ApiError invalid_request when the agent has no such evaluator
 */
export async function requireEvaluators(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly number[],
  param: string,
): Promise<void> {
  if (ids.length === 0) return
  const there = new Set((await lockEvaluators(db, agentId, ids)).map(({ id }) => id))
  const missing = ids.find((id) => !there.has(id))
  if (missing === undefined) return
  throw invalidField(param, `there is no evaluator ${missing}.`)
}
