import type { Kysely } from 'kysely'
import { takeFirstAgent } from '../agents/first-agent.ts'
import { bySystem } from '../audit/record.ts'
import type { Tables } from '../storage/tables.ts'
import type { Credentials } from './credentials.ts'

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
    const first = await takeFirstAgent(db)
    if (!first) return null
    const { agentId, teamId } = first
    const key = await credentials.issueKey(db, agentId, 'first key', bySystem)
    const own = { name: 'first token', right: 'own', expiresAt: null } as const
    const token = await credentials.issueToken(db, teamId, own, bySystem)
    if (!key || !token) throw new Error('the first agent got no credentials')
    const joinToken = await addOwner(db, teamId)
    return { agentId, teamId, apiKey: key.api_key, bearerToken: token.bearer_token, joinToken }
  })
}
