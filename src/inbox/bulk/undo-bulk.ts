import type { Kysely } from 'kysely'
import { requireRoom } from '../../agents/require-room.ts'
import { type Actor, isSameActor, record, type TeamBy } from '../../audit/record.ts'
import { ApiError, foundOr } from '../../errors.ts'
import type { Caller } from '../../http/member.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkWork, Skipped, UndoMacro } from './bulk-action.ts'
import { BULK_ACTS } from './start-bulk.ts'
import { countOpenActs, insertBulkAct, lockBulkAct, selectBulkAct, setUndoneBy } from './store.ts'

/**
 * Begins to undo what a bulk act did by a macro, as a bulk act of its own. Whoever may undo its runs one by one may do
 * this, too.
 * @throws ApiError bulk_act_not_found, bulk_act_unfinished, bulk_act_final, too_many_bulk_acts
 */
export async function undoBulk(
  db: Kysely<Tables>,
  { agentId, teamId }: Pick<Caller, 'agentId' | 'teamId'>,
  id: number,
  now: string,
  by: TeamBy,
): Promise<BulkActRow> {
  return db.transaction().execute(async (db) => {
    const act = foundOr(await lockBulkAct(db, agentId, id), 'bulk_act_not_found')
    const did = JSON.parse(act.action) as BulkWork
    if (did.type !== 'macro') throw new ApiError('bulk_act_final')
    if (act.finished_at === null) throw new ApiError('bulk_act_unfinished')
    const earlier = act.undone_by === null ? undefined : await selectBulkAct(db, agentId, act.undone_by)
    if (earlier && !leavesMoreFor(by.actor, earlier)) return earlier
    await requireRoom(db, agentId, 'bulk_acts', () => countOpenActs(db, agentId))
    const action: UndoMacro = { type: 'undo_macro', bulk_act: id }
    const undoing = await insertBulkAct(db, {
      agent_id: agentId,
      team_id: teamId,
      action: JSON.stringify(action),
      filter: null,
      actor: JSON.stringify(by.actor),
      state: 'gathering',
      matched: 0,
      created_at: now,
      starts_at: null,
    })
    await setUndoneBy(db, id, undoing.id)
    const details = { bulk_act: undoing.id, macro: did.macro_id, undoes: id }
    await record(db, { ...by, agentId, at: now, action: 'macro.undone', target: `agent ${agentId}`, details })
    wake(db, BULK_ACTS)
    return undoing
  })
}

/** Tells whether an undoing has left something for another: it failed, or its person did not see all conversations. */
function leavesMoreFor(actor: Actor, { state, skipped, actor: json }: BulkActRow): boolean {
  if (state === 'failed') return true
  const { outside_scope = 0 }: Skipped = JSON.parse(skipped)
  return state === 'done' && outside_scope > 0 && !isSameActor(JSON.parse(json), actor)
}
