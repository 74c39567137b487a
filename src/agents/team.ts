import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { type Agent, readAgent, toAgent } from './agent.ts'
import { createAgent } from './create-agent.ts'
import { lockTeam, selectAgent, selectAgentsOfTeam, selectTeam, updateTeam } from './store.ts'

export interface Team {
  id: number
  name: string
  version: string
  created_at: string
}

export async function readTeam(db: Kysely<Tables>, id: number): Promise<Team> {
  const { name, created_at } = await selectTeam(db, id)
  return { id, name, version: versionOf(name), created_at }
}

/** @param name undefined: the name stays unchanged @throws ApiError version_outdated */
export async function renameTeam(
  db: Kysely<Tables>,
  { name, version }: { name?: string | undefined; version?: string | undefined },
  by: TeamBy,
  nowMs: number,
): Promise<Team> {
  return db.transaction().execute(async (db) => {
    await lockTeam(db, by.teamId)
    refuseOutdated(version, (await readTeam(db, by.teamId)).version)
    if (name !== undefined) {
      await updateTeam(db, by.teamId, { name })
      const act = { ...by, at: timestamp(nowMs), target: `team ${by.teamId}` }
      await record(db, { ...act, action: 'team.changed', details: { changed: ['name'] } })
    }
    return readTeam(db, by.teamId)
  })
}

export interface TeamAgent extends Agent {
  /** The progress of the erasing; null: the agent was not deleted. */
  deletion: { started_at: string; rows_erased: number } | null
}

/** The agents of a team, in the order of their ids, including those that are being erased. */
export async function listTeamAgents(db: Kysely<Tables>, teamId: number): Promise<TeamAgent[]> {
  return (await selectAgentsOfTeam(db, teamId)).map((row) => ({
    ...toAgent(row),
    deletion:
      row.deleted_at === null ? null : { started_at: row.deleted_at, rows_erased: Number(row.rows_erased) },
  }))
}

/**
 * An agent of a team.
 * @throws ApiError agent_not_found, also for an agent of another team
 */
export async function findTeamAgent(db: Kysely<Tables>, teamId: number, id: number): Promise<Agent> {
  const [row] = await selectAgent(db, { id })
  if (row?.team_id !== teamId || row.deleted_at !== null) throw new ApiError('agent_not_found')
  return toAgent(row)
}

/** Creates an agent in a team. */
export async function addAgent(db: Kysely<Tables>, name: string, by: TeamBy, nowMs: number): Promise<Agent> {
  return db.transaction().execute(async (db) => {
    const { agentId } = await createAgent(db, { name, teamId: by.teamId, nowMs })
    const target = `agent ${agentId}`
    await record(db, { ...by, agentId, at: timestamp(nowMs), action: 'agent.created', target })
    return readAgent(db, agentId)
  })
}
