import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { isUuid, rowId } from '../lib/ids.ts'
import type { CompletionRow, Tables } from '../storage/tables.ts'
import { selectCompletionById, selectCompletionByNumber } from './store.ts'

/**
 * The agent's completion of this UUID or number.
 * @throws ApiError completion_not_found, also for another agent's.
 */
export async function findCompletion(
  db: Kysely<Tables>,
  agentId: number,
  id: string,
): Promise<CompletionRow> {
  const [row] = isUuid(id)
    ? await selectCompletionById(db, { agent_id: agentId, id: id.toLowerCase() })
    : await selectCompletionByNumber(db, { agent_id: agentId, number: rowId(id) })
  if (!row) throw new ApiError('completion_not_found')
  return row
}
