import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { lockedRowOfAgent, pageOfAgent, rowOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { WidgetRow } from './tables.ts'

type Db = Kysely<Tables>

const widgets = (db: Db) => db.selectFrom('widgets').selectAll()

export const selectWidget = rowOfAgent(widgets)

/** Reads the widget that a page names. */
export const selectByPublicKey = prepared((db, param: ParamOf<{ public_key: string }>) =>
  db.selectFrom('widgets').selectAll().where('public_key', '=', param('public_key')),
)

/** Reads the widgets with some ids. */
export async function selectWidgets(db: Db, ids: readonly number[]): Promise<WidgetRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('widgets').selectAll().where('id', 'in', ids).execute()
}

export const selectWidgetsPage = pageOfAgent(widgets)

/** Reads a widget of an agent and locks it until the transaction ends. */
export const lockWidget = lockedRowOfAgent(widgets)

export async function insertWidget(db: Db, row: Omit<WidgetRow, 'id'>): Promise<number> {
  const { id } = await db.insertInto('widgets').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateWidget(
  db: Db,
  id: number,
  values: Partial<Omit<WidgetRow, 'id' | 'agent_id'>>,
): Promise<WidgetRow> {
  return db.updateTable('widgets').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteWidget(db: Db, id: number): Promise<void> {
  await db.deleteFrom('widgets').where('id', '=', id).execute()
}

/** Tells whether a widget sends unseen answers through a channel, which then cannot be removed. */
export async function channelIsUsed(db: Db, agentId: number, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('widgets')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('continue_by', '=', channelId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
