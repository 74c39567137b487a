import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { cancelBulkAct, selectBulkAct } from './store.ts'

/**
 * Cancels a bulk act that has changed nothing yet. Does nothing if the act is already cancelled.
 * @throws ApiError bulk_act_not_found, bulk_act_begun
 */
export async function cancelBulk(
  db: Kysely<Tables>,
  agentId: number,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const act = await selectBulkAct(db, agentId, id)
    if (!act) throw new ApiError('bulk_act_not_found')
    if (act.state === 'cancelled') return
    if (!(await cancelBulkAct(db, id, now))) throw new ApiError('bulk_act_begun')
    await record(db, {
      ...by,
      agentId,
      at: now,
      action: 'bulk_act.cancelled',
      target: `agent ${agentId}`,
      details: { bulk_act: id },
    })
  })
}
