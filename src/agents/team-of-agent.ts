import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { Owners } from '../work/in-turns.ts'

/** The owners of work that waits in a table with `agent_id`. */
export const byAgent: Owners = {
  tenant: sql`agent_id`,
  teams: sql`(select id as tenant, team_id as team from agents)`,
}

/** Returns the id of an agent's team; null when there is no such agent, or it was deleted. */
export async function teamOfAgent(db: Kysely<Tables>, agentId: number): Promise<number | null> {
  const row = await db
    .selectFrom('agents')
    .select('team_id')
    .where('id', '=', agentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.team_id ?? null
}

export async function teamExists(db: Kysely<Tables>, teamId: number): Promise<boolean> {
  const row = await db.selectFrom('teams').select('id').where('id', '=', teamId).executeTakeFirst()
  return row !== undefined
}
