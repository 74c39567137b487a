import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
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

/**
 * Creates the team "Default" and the agent "Guide" in an empty database, and does nothing in any other. When several
 * processes start at once, one of them creates them.
 * @returns true if this call created them
 */
export async function createFirstAgent(db: Kysely<Tables>, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (db) => {
    const isMine = await addInstallationValue(db, GUIDE, '')
    if (!isMine || (await countAgents(db)) > 0) return false
    const settings = { instructions: GUIDE_INSTRUCTIONS, greeting: GUIDE_GREETING }
    const { agentId, teamId } = await createAgent(db, {
      name: 'Guide',
      teamId: null,
      teamName: 'Default',
      settings,
      nowMs,
    })
    await putInstallationValue(db, GUIDE, String(agentId))
    await putInstallationValue(db, UNSHOWN, String(teamId))
    return true
  })
}

/**
 * Returns the first agent and its team until its credentials have been issued: the caller's transaction issues them,
 * and later calls get null.
 */
export async function takeFirstAgent(
  db: Kysely<Tables>,
): Promise<{ agentId: number; teamId: number } | null> {
  const teamId = await takeInstallationValue(db, UNSHOWN)
  const agentId = await guideAgentId(db)
  return teamId === null || agentId === null ? null : { agentId, teamId: Number(teamId) }
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

/** The name of the value with the agent that the first start created. It is empty when that start created none. */
const GUIDE = 'guide_agent'
/** The name of the value with the first agent's team. It exists until the credentials are issued. */
const UNSHOWN = 'first_credentials'

const GUIDE_INSTRUCTIONS =
  'You are the guide to Parley, a self-hosted conversational-agent service. Answer questions about setting it up, ' +
  'running it and using its API, from its documentation. Say so when you do not know.'
const GUIDE_GREETING = 'Hello! I know the documentation of Parley. What would you like to know?'
