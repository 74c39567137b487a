import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import type { InitSettings } from '../config.ts'
import { changed } from '../events/changes.ts'
import { timestamp } from '../lib/clock.ts'
import {
  addInstallationValue,
  installationValue,
  putInstallationValue,
  takeInstallationValue,
} from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'
import { toAgent } from './agent.ts'
import { createAgent } from './create-agent.ts'
import { defaultSettings } from './settings.ts'
import { countAgents, lockAgent, selectAgent, updateAgent } from './store.ts'
import { keepVersion } from './versions/keep-version.ts'

/** The agent that the first start has created, and its team. */
export interface FirstAgent {
  agentId: number
  teamId: number
}

/**
 * Creates the first team and its agent in an empty database, and does nothing in any other. When several processes
 * start at once, one of them creates them.
 * @param names the names of both; without one of an agent it is the guide
 * @param issue issues the agent's credentials in the same transaction; returns false if that is left for later
 * @returns true if this call created them
 */
export async function createFirstAgent(
  db: Kysely<Tables>,
  nowMs: number,
  names: Pick<InitSettings, 'team' | 'agent'> = { team: 'Default', agent: null },
  issue: (db: Kysely<Tables>, first: FirstAgent) => Promise<boolean> = async () => false,
): Promise<boolean> {
  return db.transaction().execute(async (db) => {
    const isMine = await addInstallationValue(db, GUIDE, '')
    if (!isMine || (await countAgents(db)) > 0) return false
    const isGuide = names.agent === null
    const first = await createAgent(db, {
      name: names.agent ?? 'Guide',
      teamId: null,
      teamName: names.team,
      settings: isGuide ? { instructions: GUIDE_INSTRUCTIONS, greeting: GUIDE_GREETING } : {},
      nowMs,
    })
    if (isGuide) await putInstallationValue(db, GUIDE, String(first.agentId))
    const isIssued = await issue(db, first)
    await putInstallationValue(db, UNSHOWN, JSON.stringify({ ...first, isIssued }))
    return true
  })
}

/**
 * Returns the first agent until its owner has been invited: the caller's transaction invites the owner and issues the
 * credentials unless they are issued, and later calls get null.
 */
export async function takeFirstAgent(
  db: Kysely<Tables>,
): Promise<(FirstAgent & { isIssued: boolean }) | null> {
  const value = await takeInstallationValue(db, UNSHOWN)
  const first = value === null ? null : JSON.parse(value)
  if (typeof first !== 'number') return first
  // An earlier version, which knew only the guide, stored the id of the team.
  const agentId = await guideAgentId(db)
  return agentId === null ? null : { agentId, teamId: first, isIssued: false }
}

/**
 * Returns the id of the agent whose knowledge is the shipped documentation; null when other agents were created first
 * or it was deleted.
 */
export async function guideAgentId(db: Kysely<Tables>): Promise<number | null> {
  const id = await installationValue(db, GUIDE)
  const [agent] = id ? await selectAgent(db, { id: Number(id) }) : []
  return agent && agent.deleted_at === null ? agent.id : null
}

/**
 * Ends the first agent's role as the guide. Its greeting and its instructions are about Parley's documentation, and
 * become the usual ones unless somebody has changed them.
 */
export async function endGuiding(db: Kysely<Tables>, agentId: number, nowMs: number): Promise<void> {
  await db.transaction().execute(async (db) => {
    const agent = toAgent(await lockAgent(db, agentId))
    const { settings } = agent
    const { instructions, greeting } = defaultSettings
    const usual = {
      ...(settings.instructions === GUIDE_INSTRUCTIONS ? { instructions } : {}),
      ...(settings.greeting === GUIDE_GREETING ? { greeting } : {}),
    }
    if (Object.keys(usual).length === 0) return
    const after = { ...agent, settings: { ...settings, ...usual } }
    await updateAgent(db, agentId, { settings: JSON.stringify(after.settings) })
    await keepVersion(db, agent, after, bySystem.actor, timestamp(nowMs))
    changed(db, { type: 'agent', agent_id: agentId, conversation_id: null })
  })
}

/** The name of the value with the guide that the first start created. It is empty when that start created none. */
const GUIDE = 'guide_agent'
/** The name of the value with the first agent and its team. It exists until the owner is invited. */
const UNSHOWN = 'first_credentials'

const GUIDE_INSTRUCTIONS =
  'You are the guide to Parley, a self-hosted conversational-agent service. Answer questions about setting it up, ' +
  'running it and using its API, from its documentation. Say so when you do not know.'
const GUIDE_GREETING = 'Hello! I know the documentation of Parley. What would you like to know?'
