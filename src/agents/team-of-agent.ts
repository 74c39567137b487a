import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

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
