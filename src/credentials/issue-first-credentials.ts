import type { Kysely } from 'kysely'
import { createFirstAgent, type FirstAgent, takeFirstAgent } from '../agents/first-agent.ts'
import { bySystem } from '../audit/record.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { type GivenCredentials, readCredentialFiles, writeCredentialFiles } from './credential-files.ts'
import type { Credentials } from './credentials.ts'

/** The first agent, and the credentials that the first start prints. */
export interface FirstCredentials {
  agentId: number
  teamId: number
  /** Null when files have them. */
  issued: { apiKey: string; bearerToken: string } | null
  /** The token of the link by which the first owner joins. */
  joinToken: string
}

/**
 * Invites the first owner, and issues the first agent's credentials unless files have them, once. Call it only when
 * they can be shown: a start that fails must not use them up.
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
    const { agentId, teamId, isIssued } = first
    const issued = isIssued ? null : await issuePair(db, credentials, first)
    const joinToken = await addOwner(db, teamId)
    return { agentId, teamId, issued, joinToken }
  })
}

/**
 * Creates the first agent, and issues its credentials into files if the settings name some. Does nothing in a database
 * that has an agent.
 * @returns true if this call created it
 * @throws ConfigError for a file that can be neither written nor taken; nothing is created then
 */
export async function makeFirstAgent({
  config: { init },
  database: { db, engine },
  credentials,
  clock,
}: {
  config: Pick<Config, 'init'>
  database: { db: Kysely<Tables>; engine: Pick<Engine, 'numberAboveRows'> }
  credentials: Credentials
  clock: Clock
}): Promise<boolean> {
  return createFirstAgent(db, clock(), init, async (db, first) => {
    if (init.files === null) return false
    const given = readCredentialFiles(init.files)
    const issued = await issuePair(db, credentials, first, given)
    // The next key gets an id that no given one has.
    if (given.apiKey !== null) await engine.numberAboveRows(db, 'api_keys')
    if (given.bearerToken !== null) await engine.numberAboveRows(db, 'bearer_tokens')
    writeCredentialFiles(init.files, given, issued)
    return true
  })
}

/** @param given texts of credentials that are taken in place of new ones */
async function issuePair(
  db: Kysely<Tables>,
  credentials: Credentials,
  { agentId, teamId }: FirstAgent,
  given: GivenCredentials = { apiKey: null, bearerToken: null },
): Promise<{ apiKey: string; bearerToken: string }> {
  const key = await credentials.issueKey(db, agentId, 'first key', bySystem, given.apiKey)
  const own = { name: 'first token', right: 'own', expiresAt: null } as const
  const token = await credentials.issueToken(db, teamId, own, bySystem, given.bearerToken)
  if (!key || !token) throw new Error('the first agent got no credentials')
  return { apiKey: key.api_key, bearerToken: token.bearer_token }
}
