import type { Insertable, Kysely, Updateable } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import { ownOrShared } from '../../storage/own-or-shared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SavedViewRow, SavedViewsTable } from '../tables.ts'

type Db = Kysely<Tables>

/** Selects the views of an agent that a person has: their own and the shared ones. @param operatorId null: a program */
function viewsOf(db: Db, agentId: number, operatorId: number | null) {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where(ownOrShared(operatorId))
}

/** Reads the views of a person, the shared ones first, in the order in which they were made. */
export async function selectViews(
  db: Db,
  agentId: number,
  operatorId: number | null,
): Promise<SavedViewRow[]> {
  const rows = await viewsOf(db, agentId, operatorId).orderBy('id').execute()
  return [
    ...rows.filter(({ operator_id }) => operator_id === null),
    ...rows.filter(({ operator_id }) => operator_id !== null),
  ]
}

export async function selectView(
  db: Db,
  agentId: number,
  operatorId: number | null,
  id: number,
): Promise<SavedViewRow | undefined> {
  return viewsOf(db, agentId, operatorId).where('id', '=', id).executeTakeFirst()
}

/** Counts the shared views of an agent, or the own ones of a person. */
export function countViews(db: Db, agentId: number, operatorId: number | null): Promise<number> {
  return countRows(
    db
      .selectFrom('saved_views')
      .where('agent_id', '=', agentId)
      .where('operator_id', operatorId === null ? 'is' : '=', operatorId),
  )
}

export async function insertView(db: Db, row: Insertable<SavedViewsTable>): Promise<SavedViewRow> {
  return db.insertInto('saved_views').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateView(
  db: Db,
  id: number,
  values: Updateable<SavedViewsTable>,
): Promise<SavedViewRow> {
  return db
    .updateTable('saved_views')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteView(db: Db, id: number): Promise<void> {
  await db.deleteFrom('saved_views').where('id', '=', id).execute()
}
