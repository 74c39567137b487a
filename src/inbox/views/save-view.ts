import type { Kysely } from 'kysely'
import type { TeamBy } from '../../audit/record.ts'
import { recordShared } from '../../audit/record-shared.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../http/member.ts'
import { keeperOf, personOf } from '../../http/operator-of.ts'
import { refuseOutdated } from '../../http/version.ts'
import { rowId } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SavedViewRow } from '../tables.ts'
import { type NewView, viewVersion } from './saved-view.ts'
import { countViews, deleteView, insertView, lockView, updateView } from './store.ts'

/** The most shared views of an agent, and the most own ones of a person. */
const MOST_VIEWS = 30

/** A change of a view: the fields to change, and the version that was read. */
export type ViewPatch = { [Field in keyof NewView]?: NewView[Field] | undefined } & {
  version?: string | undefined
}

/** @throws ApiError too_many_views; operator_needed for a program that wants one of its own */
export async function createView(
  db: Kysely<Tables>,
  caller: Caller,
  { name, query, shared }: NewView,
  now: string,
  by: TeamBy,
): Promise<SavedViewRow> {
  const { agentId } = caller
  const operator_id = keeperOf(caller, shared)
  return db.transaction().execute(async (db) => {
    await refuseTooMany(db, agentId, operator_id)
    const row = { agent_id: agentId, operator_id, name, query: JSON.stringify(query) }
    const made = await insertView(db, { ...row, created_at: now, updated_at: now })
    await recordShared(db, 'view', 'added', made, now, by)
    return made
  })
}

/** @throws ApiError view_not_found, version_outdated, too_many_views, operator_needed */
export async function changeView(
  db: Kysely<Tables>,
  caller: Caller,
  id: string,
  { version, name, query, shared }: ViewPatch,
  now: string,
  by: TeamBy,
): Promise<SavedViewRow> {
  return db.transaction().execute(async (db) => {
    const present = await readView(db, caller, id)
    refuseOutdated(version, viewVersion(present))
    const operator_id = keeperOf(caller, shared, present)
    if (operator_id !== present.operator_id) await refuseTooMany(db, caller.agentId, operator_id)
    const row = await updateView(db, present.id, {
      operator_id,
      name: name ?? present.name,
      query: query ? JSON.stringify(query) : present.query,
      updated_at: now,
    })
    await recordShared(db, 'view', 'changed', row, now, by)
    return row
  })
}

/** @throws ApiError view_not_found */
export async function removeView(
  db: Kysely<Tables>,
  caller: Caller,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const view = await readView(db, caller, id)
    await deleteView(db, view.id)
    await recordShared(db, 'view', 'removed', view, now, by)
  })
}

async function readView(db: Kysely<Tables>, caller: Caller, id: string): Promise<SavedViewRow> {
  const view = await lockView(db, caller.agentId, personOf(caller), rowId(id))
  if (!view) throw new ApiError('view_not_found')
  return view
}

async function refuseTooMany(db: Kysely<Tables>, agentId: number, operatorId: number | null): Promise<void> {
  if ((await countViews(db, agentId, operatorId)) >= MOST_VIEWS) throw new ApiError('too_many_views')
}
