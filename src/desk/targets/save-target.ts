import type { Kysely } from 'kysely'
import { requireRoom } from '../../agents/require-room.ts'
import { record, type TeamBy } from '../../audit/record.ts'
import { foundOr, invalidField } from '../../errors.ts'
import { refuseOutdated } from '../../http/version.ts'
import type { Tables } from '../../storage/tables.ts'
import {
  deleteTarget,
  insertTarget,
  lockTarget,
  readTargets,
  recountClocks,
  updateTarget,
} from '../../targets/store.ts'
import type { TargetRow } from '../../targets/tables.ts'
import { flawOf, type NewTarget, presentTarget, type TargetPatch, targetVersion } from './target.ts'

type Db = Kysely<Tables>

/** Adds a target, for conversations that begin to wait from now on. @throws ApiError too_many_targets, invalid_request */
export async function createTarget(
  db: Db,
  agentId: number,
  target: NewTarget,
  now: string,
  by: TeamBy,
): Promise<TargetRow> {
  return db.transaction().execute(async (db) => {
    await requireRoom(db, agentId, 'targets', async () => (await readTargets(db, agentId)).length)
    const values = { ...columns(target), agent_id: agentId, created_at: now, updated_at: now }
    const row = await insertTarget(db, values)
    await recordChange(db, row, 'target.added', now, by)
    return row
  })
}

/**
 * Changes a target. The clocks that run towards it are counted anew in the background.
 * @throws ApiError target_not_found, version_outdated, invalid_request
 */
export async function changeTarget(
  db: Db,
  agentId: number,
  id: number,
  { version, ...patch }: TargetPatch,
  now: string,
  by: TeamBy,
): Promise<TargetRow> {
  return db.transaction().execute(async (db) => {
    const present = await readTarget(db, agentId, id)
    refuseOutdated(version, targetVersion(present))
    const { id: _, version: __, created_at, updated_at, ...whole } = presentTarget(present)
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    const row = await updateTarget(db, id, { ...columns({ ...whole, ...given }), updated_at: now })
    await recountClocks(db, [agentId], 'target', now)
    await recordChange(db, row, 'target.changed', now, by)
    return row
  })
}

/** Deletes a target and stops its clocks. @throws ApiError target_not_found */
export async function removeTarget(
  db: Db,
  agentId: number,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const row = await readTarget(db, agentId, id)
    await deleteTarget(db, id)
    await recountClocks(db, [agentId], 'target', now)
    await recordChange(db, row, 'target.deleted', now, by)
  })
}

async function readTarget(db: Db, agentId: number, id: number): Promise<TargetRow> {
  return foundOr(await lockTarget(db, agentId, id), 'target_not_found')
}

/** Returns the columns of a target. @throws ApiError invalid_request for a target with a flaw */
function columns(target: NewTarget) {
  const flaw = flawOf(target)
  if (flaw) throw invalidField(flaw.param, flaw.message)
  const { condition, within_hours, ...rest } = target
  return {
    ...rest,
    condition: condition && JSON.stringify(condition),
    within_hours: within_hours ? (1 as const) : (0 as const),
  }
}

async function recordChange(
  db: Db,
  row: TargetRow,
  action: 'target.added' | 'target.changed' | 'target.deleted',
  at: string,
  by: TeamBy,
): Promise<void> {
  const { name, first_response, next_response, resolution } = row
  const details = { name, first_response, next_response, resolution }
  await record(db, { ...by, agentId: row.agent_id, at, action, target: `target ${row.id}`, details })
}
