import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import type { Tables } from '../storage/tables.ts'
import { type Agent, readAgent, toAgent } from './agent.ts'
import { createAgent } from './create-agent.ts'
import { lockTeam, selectAgent, selectAgentsPage, selectTeam, updateTeam } from './store.ts'

interface Team {
  id: number
  name: string
  require_two_factor: boolean
  version: string
  created_at: string
}

export async function readTeam(db: Kysely<Tables>, id: number): Promise<Team> {
  const { name, require_two_factor, created_at } = await selectTeam(db, id)
  const isRequired = require_two_factor === 1
  return { id, name, require_two_factor: isRequired, version: versionOf(name, isRequired), created_at }
}

/** The settings of a team that its owners may change. */
interface TeamPatch {
  name?: string | undefined
  require_two_factor?: boolean | undefined
  version?: string | undefined
}

/** Tells whether an operator signs in with a second factor, or through a provider that asks for one. */
export type SignsInSafely = (db: Kysely<Tables>, operatorId: number) => Promise<boolean>

/**
 * Changes a team. A person who requires a second factor of it must have one; a bearer token cannot have one.
 * @throws ApiError version_outdated, two_factor_missing
 */
export async function changeTeam(
  { db, signsInSafely }: { db: Kysely<Tables>; signsInSafely: SignsInSafely },
  { version, ...patch }: TeamPatch,
  by: TeamBy,
  nowMs: number,
): Promise<Team> {
  return db.transaction().execute(async (db) => {
    await lockTeam(db, by.teamId)
    refuseOutdated(version, (await readTeam(db, by.teamId)).version)
    const { name, require_two_factor } = patch
    const { kind, id } = by.actor
    if (require_two_factor && kind === 'operator' && !(id !== null && (await signsInSafely(db, id))))
      throw new ApiError('two_factor_missing', { param: 'require_two_factor' })
    const changed = Object.keys(patch)
    if (changed.length > 0) {
      await updateTeam(db, by.teamId, {
        ...(name === undefined ? {} : { name }),
        ...(require_two_factor === undefined ? {} : { require_two_factor: require_two_factor ? 1 : 0 }),
      })
      await record(db, {
        ...by,
        at: timestamp(nowMs),
        target: `team ${by.teamId}`,
        action: 'team.changed',
        details: { changed, ...(require_two_factor === undefined ? {} : { require_two_factor }) },
      })
    }
    return readTeam(db, by.teamId)
  })
}

interface TeamAgent extends Agent {
  /** The progress of the erasure; null when the agent was not deleted. */
  deletion: { started_at: string; rows_erased: number } | null
}

/** Reads a page of the agents of a team, including those that are being erased. */
export async function listTeamAgents(
  db: Kysely<Tables>,
  teamId: number,
  request: PageRequest,
): Promise<Page<TeamAgent>> {
  const page = await selectAgentsPage(db, teamId, request)
  const rows = page.rows.map((row) => ({
    ...toAgent(row),
    deletion:
      row.deleted_at === null ? null : { started_at: row.deleted_at, rows_erased: Number(row.rows_erased) },
  }))
  return { ...page, rows }
}

/**
 * Reads an agent of a team.
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
