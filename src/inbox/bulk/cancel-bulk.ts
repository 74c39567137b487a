import type { Kysely } from 'kysely'
import { isSameActor, record, type TeamBy } from '../../audit/record.ts'
import { ApiError, foundOr } from '../../errors.ts'
import type { Caller } from '../../http/member.ts'
import { includes } from '../../http/rights.ts'
import type { Tables } from '../../storage/tables.ts'
import { cancelBulkAct, selectBulkAct } from './store.ts'

/**
 * Cancels a bulk act that has changed nothing yet: one's own, or with the right to manage that of anybody. Does nothing
 * if the act is already cancelled.
 * @throws ApiError bulk_act_not_found, bulk_act_begun, insufficient_right
 */
export async function cancelBulk(
  db: Kysely<Tables>,
  { agentId, right }: Pick<Caller, 'agentId' | 'right'>,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const act = foundOr(await selectBulkAct(db, agentId, id), 'bulk_act_not_found')
    if (!isSameActor(JSON.parse(act.actor), by.actor) && !includes(right, 'manage'))
      throw new ApiError('insufficient_right', {
        message: "Only the person who began a bulk act, or somebody with the right 'manage', can cancel it.",
      })
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
