import type { Kysely } from 'kysely'
import type { Credentials } from '../credentials/credentials.ts'
import type { Tables } from '../storage/tables.ts'
import { createAgent } from './create-agent.ts'
import { countAgents } from './store.ts'

export interface FirstAgent {
  agentId: number
  teamId: number
  apiKey: string
  bearerToken: string
}

/**
 * Makes team "Default" and agent "Guide" with credentials on an empty database; null on any other. Of several
 * processes that start at once, one makes them.
 */
export async function createFirstAgent(
  db: Kysely<Tables>,
  credentials: Credentials,
  now: number,
): Promise<FirstAgent | null> {
  return db.transaction().execute(async (db) => {
    const [mine] = await db
      .insertInto('installation')
      .values({ name: GUIDE, value: '' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    if (!mine || (await countAgents(db)) > 0) return null
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
    const key = await credentials.issueKey(db, agentId, 'first key')
    const token = await credentials.issueToken(db, teamId, 'first token', null)
    if (!key || !token) throw new Error('the first agent got no credentials')
    return { agentId, teamId, apiKey: key.api_key, bearerToken: token.bearer_token }
  })
}

/** The agent whose knowledge is the shipped documentation; null where other agents were made first. */
export async function guideAgentId(db: Kysely<Tables>): Promise<number | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', GUIDE).executeTakeFirst()
  return row?.value ? Number(row.value) : null
}

/** Names the row that says which agent the first start made: empty when it made none. */
const GUIDE = 'guide_agent'

const GUIDE_INSTRUCTIONS =
  'You are the guide to Parley, a self-hosted conversational-agent service. Answer questions about setting it up, ' +
  'running it and using its API, from its documentation. Say so when you do not know.'
const GUIDE_GREETING = 'Hello! I know the documentation of Parley. What would you like to know?'
