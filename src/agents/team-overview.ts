import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Reads a team and its agents in the order of their ids. */
export async function readTeamOverview(db: Kysely<Tables>, teamId: number) {
  const team = await db
    .selectFrom('teams')
    .select(['id', 'name', 'require_two_factor'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow()
  const agents = await db
    .selectFrom('agents')
    .select(['id', 'name', 'is_paused'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return {
    team: { ...team, require_two_factor: team.require_two_factor === 1 },
    agents: agents.map(({ is_paused, ...agent }) => ({ ...agent, is_paused: is_paused === 1 })),
  }
}

/** Reads the ids of a team's agents. */
export async function idsOfAgents(db: Kysely<Tables>, teamId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
