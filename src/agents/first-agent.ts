import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Tables } from '../storage/tables.ts'
import { createAgent } from './create-agent.ts'
import { countAgents } from './store.ts'

/** The credentials that the first start shows. */
export interface FirstCredentials {
  agentId: number
  teamId: number
  apiKey: string
  bearerToken: string
  /** Of the link by which the first owner joins. */
  joinToken: string
}

/**
 * Makes team "Default" and agent "Guide" on an empty database; nothing on any other. Of several processes that start at
 * once, one makes them.
 * @returns whether it did
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
 * Issues the first agent's credentials, once: call it when they can be shown, which a start that fails never comes to.
 * @param addOwner makes the team's first owner; returns the token of the link by which they join
 * @returns null when they have been issued, or the first agent was not made by a start
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

/** The agent whose knowledge is the shipped documentation; null where other agents were made first. */
export async function guideAgentId(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', GUIDE).executeTakeFirst()
  return row?.value ? Number(row.value) : null
}

/** Names the row that says which agent the first start made: empty when it made none. */
const GUIDE = 'guide_agent'
/** Names the row, with the first agent's team, that is there until its credentials are issued. */
const UNSHOWN = 'first_credentials'

const GUIDE_INSTRUCTIONS =
  'You are the guide to Parley, a self-hosted conversational-agent service. Answer questions about setting it up, ' +
  'running it and using its API, from its documentation. Say so when you do not know.'
const GUIDE_GREETING = 'Hello! I know the documentation of Parley. What would you like to know?'
