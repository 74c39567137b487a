import type { Insertable, Kysely } from 'kysely'
import { countRows } from '../storage/count-rows.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { lockedRowOfAgent, pageOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { ToolRow, ToolsTable } from './tables.ts'

type Db = Kysely<Tables>

const tools = (db: Db) => db.selectFrom('tools').selectAll()

export const selectTool = prepared((db, param: ParamOf<{ agent_id: number; id: number }>) =>
  db.selectFrom('tools').selectAll().where('agent_id', '=', param('agent_id')).where('id', '=', param('id')),
)

export const selectActiveTools = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('tools')
    .selectAll()
    .where('agent_id', '=', param('agent_id'))
    .where('active', '=', 1)
    .orderBy('id'),
)

/** Reads a page of an agent's tools, newest first. */
export const selectToolsPage = pageOfAgent(tools)

export function countTools(db: Db, agentId: number): Promise<number> {
  return countRows(db.selectFrom('tools').where('agent_id', '=', agentId))
}

/** Reads a tool and keeps others from changing it until the transaction ends. */
export const lockTool = lockedRowOfAgent(tools)

export async function insertTool(db: Db, row: Insertable<ToolsTable>): Promise<ToolRow> {
  return db.insertInto('tools').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateToolRow(
  db: Db,
  id: number,
  values: Partial<Omit<ToolRow, 'id' | 'agent_id' | 'kind' | 'created_at'>>,
): Promise<ToolRow> {
  return db.updateTable('tools').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteToolRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('tools').where('id', '=', id).execute()
}
