import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Tables } from '../storage/tables.ts'
import { createAgent } from './create-agent.ts'
import { countAgents, selectAgent } from './store.ts'

/** The credentials that the first start prints. */
export interface FirstCredentials {
  agentId: number
  teamId: number
  apiKey: string
  bearerToken: string
  /** The token of the link by which the first owner joins. */
  joinToken: string
}

/**
 * Creates the team "Default" and the agent "Guide" in an empty database, and does nothing in any other. When several
 * processes start at once, one of them creates them.
 * @returns whether this call created them
 */
export async function createFirstAgent(db: Kysely<Tables>, now: number): Promise<boolean> {
  return db.transaction().execute(async (db) => {
    const [mine] = await db
      .insertInto('installation')
      .values({ name: GUIDE, value: '' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    if (!mine || (await countAgents(db)) > 0) return false
    const settings = { instructions: GUIDE_INSTRUCTIONS, greeting: GUIDE_GREETING }
    const { agentId, teamId } = await createAgent(db, {
      name: 'Guide',
      teamId: null,
      teamName: 'Default',
      settings,
      now,
    })
    await db
      .updateTable('installation')
      .set({ value: String(agentId) })
      .where('name', '=', GUIDE)
      .execute()
    await db
      .insertInto('installation')
      .values({ name: UNSHOWN, value: String(teamId) })
      .execute()
    return true
  })
}

/**
 * Issues the first agent's credentials, once. Call it only when they can be shown: a start that fails must not use them
 * up.
 * @param addOwner creates the team's first owner; returns the token of the link by which the owner joins
 * @returns null when the credentials have been issued before, or the first agent was not created by a start
 */
export async function issueFirstCredentials(
  db: Kysely<Tables>,
  credentials: Credentials,
  addOwner: (db: Kysely<Tables>, teamId: number) => Promise<string>,
): Promise<FirstCredentials | null> {
  return db.transaction().execute(async (db) => {
    const [unshown] = await db
      .deleteFrom('installation')
      .where('name', '=', UNSHOWN)
      .returning('value')
      .execute()
    const agentId = await guideAgentId(db)
    if (!unshown || agentId === null) return null
    const teamId = Number(unshown.value)
    const key = await credentials.issueKey(db, agentId, 'first key', bySystem)
    const own = { name: 'first token', right: 'own', expiresAt: null } as const
    const token = await credentials.issueToken(db, teamId, own, bySystem)
    if (!key || !token) throw new Error('the first agent got no credentials')
    const joinToken = await addOwner(db, teamId)
    return { agentId, teamId, apiKey: key.api_key, bearerToken: token.bearer_token, joinToken }
  })
}

/** The agent whose knowledge is the shipped documentation; null when other agents were created first or it was deleted. */
export async function guideAgentId(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', GUIDE).executeTakeFirst()
  const [agent] = row?.value ? await selectAgent(db, { id: Number(row.value) }) : []
  return agent && agent.deleted_at === null ? agent.id : null
}

/** The row that says which agent the first start created. It is empty when that start created none. */
const GUIDE = 'guide_agent'
/** The row with the first agent's team. It exists until the credentials are issued. */
const UNSHOWN = 'first_credentials'

const GUIDE_INSTRUCTIONS =
  'You are the guide to Parley, a self-hosted conversational-agent service. Answer questions about setting it up, ' +
  'running it and using its API, from its documentation. Say so when you do not know.'
const GUIDE_GREETING = 'Hello! I know the documentation of Parley. What would you like to know?'
