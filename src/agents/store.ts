import { type Kysely, sql } from 'kysely'
import { countRows } from '../storage/count-rows.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { pageOfTeam } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { AgentRow, TeamRow } from './tables.ts'

type Db = Kysely<Tables>

export const selectAgent = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('agents').selectAll().where('id', '=', param('id')),
)

/** Reads an agent and locks it until the transaction ends. */
export async function lockAgent(db: Db, id: number): Promise<AgentRow> {
  return db.selectFrom('agents').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Keeps an agent from being changed until the transaction ends; any number of transactions may do so at once. */
export const shareAgent = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('agents').select('id').where('id', '=', param('id')).forShare(),
)

/** True if any agent has an embedding server of its own. */
export async function anyEmbedsItself(db: Db): Promise<boolean> {
  const agent = await db
    .selectFrom('agents')
    .select('id')
    .where('settings', 'like', '%"embedding":{"url":"%')
    .limit(1)
    .executeTakeFirst()
  return agent !== undefined
}

export async function updateAgent(
  db: Db,
  id: number,
  values: Partial<
    Pick<AgentRow, 'name' | 'settings' | 'is_paused' | 'paused_at' | 'resumed_at' | 'deleted_at'>
  >,
): Promise<void> {
  await db.updateTable('agents').set(values).where('id', '=', id).execute()
}

export async function insertTeam(db: Db, name: string, now: string): Promise<number> {
  const row = await db
    .insertInto('teams')
    .values({ name, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function selectTeam(db: Db, id: number): Promise<TeamRow> {
  return db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Locks a team until the transaction ends. */
export async function lockTeam(db: Db, id: number): Promise<void> {
  await db.selectFrom('teams').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function updateTeam(
  db: Db,
  id: number,
  values: Partial<Pick<TeamRow, 'name' | 'require_two_factor'>>,
): Promise<void> {
  await db.updateTable('teams').set(values).where('id', '=', id).execute()
}

export const selectAgentsPage = pageOfTeam((db) => db.selectFrom('agents').selectAll())

export async function insertAgent(
  db: Db,
  row: { team_id: number; name: string; settings: string; created_at: string },
): Promise<number> {
  const { id } = await db.insertInto('agents').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Reads the agents that were deleted and still have data. */
export async function selectDeletedAgents(db: Db): Promise<AgentRow[]> {
  return db.selectFrom('agents').selectAll().where('deleted_at', 'is not', null).orderBy('id').execute()
}

/** Adds to the number of erased rows of a deleted agent. */
export async function addErased(db: Db, id: number, count: number): Promise<void> {
  await db
    .updateTable('agents')
    .set((row) => ({ rows_erased: sql`${row.ref('rows_erased')} + ${count}` }))
    .where('id', '=', id)
    .execute()
}

/** Deletes an agent's row; returns true if it existed. */
export async function deleteAgentRow(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('agents').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listAgents(db: Db): Promise<AgentRow[]> {
  return db.selectFrom('agents').selectAll().orderBy('id').execute()
}

export function countAgents(db: Db): Promise<number> {
  return countRows(db.selectFrom('agents'))
}

/** Reads the agents whose models have prices, those with a budget first. Settings hold what differs from the defaults. */
export async function selectAgentsWithPrices(db: Db, limit: number): Promise<AgentRow[]> {
  return db
    .selectFrom('agents')
    .selectAll()
    .where('settings', 'like', '%"prices":{"%')
    .where('deleted_at', 'is', null)
    .orderBy(sql`case when settings like '%"budget":{%' then 0 else 1 end`)
    .orderBy('id')
    .limit(limit)
    .execute()
}
