import type { Kysely } from 'kysely'
import { lockAgent } from '../../agents/pause-state.ts'
import { requireRoom } from '../../agents/require-room.ts'
import type { Actor, TeamBy } from '../../audit/record.ts'
import { recordShared } from '../../audit/record-shared.ts'
import { foundOr } from '../../errors.ts'
import { keeperOf, personOf } from '../../http/operator-of.ts'
import { refuseOutdated } from '../../http/version.ts'
import { rowId } from '../../lib/ids.ts'
import { keeperAfter } from '../../operators/keeper-after.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SavedViewRow } from '../tables.ts'
import { type NewView, viewVersion } from './saved-view.ts'
import { countViews, deleteView, insertView, selectView, updateView } from './store.ts'

/** The person or program that saves views of an agent. */
interface Keeper {
  readonly agentId: number
  readonly actor: Actor
}

/** A change of a view: the fields to change, and the version that was read. */
type ViewPatch = { [Field in keyof NewView]?: NewView[Field] | undefined } & {
  version?: string | undefined
}

/** @throws ApiError too_many_views; operator_needed for a program that wants one of its own */
export async function createView(
  db: Kysely<Tables>,
  keeper: Keeper,
  { name, query, shared }: NewView,
  now: string,
  by: TeamBy,
): Promise<SavedViewRow> {
  const { agentId } = keeper
  const operator_id = keeperOf(keeper, shared)
  return db.transaction().execute(async (db) => {
    await requireRoom(db, agentId, 'views', () => countViews(db, agentId, operator_id))
    const row = {
      agent_id: agentId,
      operator_id,
      maker_id: personOf(keeper),
      name,
      query: JSON.stringify(query),
    }
    const made = await insertView(db, { ...row, created_at: now, updated_at: now })
    await recordShared(db, 'view', 'added', made, now, by)
    return made
  })
}

/** @throws ApiError view_not_found, version_outdated, too_many_views, operator_needed */
export async function changeView(
  db: Kysely<Tables>,
  keeper: Keeper,
  id: string,
  { version, name, query, shared }: ViewPatch,
  now: string,
  by: TeamBy,
): Promise<SavedViewRow> {
  return db.transaction().execute(async (db) => {
    const present = await lockView(db, keeper, id)
    refuseOutdated(version, viewVersion(present))
    const operator_id = await keeperAfter(db, by.teamId, keeper, shared, present)
    if (operator_id !== present.operator_id)
      await requireRoom(db, keeper.agentId, 'views', () => countViews(db, keeper.agentId, operator_id))
    const row = await updateView(db, present.id, {
      operator_id,
      maker_id: operator_id ?? present.maker_id,
      name: name ?? present.name,
      query: query ? JSON.stringify(query) : present.query,
      updated_at: now,
    })
    await recordShared(db, 'view', 'changed', present.operator_id === null ? present : row, now, by)
    return row
  })
}

/** @throws ApiError view_not_found */
export async function removeView(
  db: Kysely<Tables>,
  keeper: Keeper,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const view = await lockView(db, keeper, id)
    await deleteView(db, view.id)
    await recordShared(db, 'view', 'removed', view, now, by)
  })
}

/** Reads a view that the keeper has, and keeps others from changing it until the transaction ends. */
async function lockView(db: Kysely<Tables>, keeper: Keeper, id: string): Promise<SavedViewRow> {
  await lockAgent(db, keeper.agentId)
  return foundOr(await selectView(db, keeper.agentId, personOf(keeper), rowId(id)), 'view_not_found')
}
