import { createHmac, hash as digest, randomBytes } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { teamExists, teamOfAgent } from '../agents/team-of-agent.ts'
import { type By, record } from '../audit/record.ts'
import type { Pair } from '../http/credentials.ts'
import { isRight, type Right } from '../http/rights.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { newest } from '../lib/newest.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { addInstallationValue, installationValue } from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'
import { readCredentialId, writeCredential } from './credential-text.ts'
import * as store from './store.ts'
import type { ApiKeysTable, BearerTokensTable } from './tables.ts'

const HASH_KEY = 'credential_hash_key'
const HASH_KEY_PLACE = `installation|${HASH_KEY}|value` as const
const PAIRS_KEPT = 1000

/** The ids and hashes of a key and a token, read from their texts whether they are valid or not. */
interface ReadPair {
  keyId: number
  tokenId: number
  keyHash: string
  tokenHash: string
}

interface NewToken {
  name: string
  right: Right
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

/** Issues, checks, lists and revokes API keys and bearer tokens. Only keyed hashes of them are stored. */
export interface Credentials {
  /** Derives a key of this installation for one purpose, from which no other key can be computed. */
  deriveKey(purpose: string): string
  /** Returns the holder of this pair; null unless both are known, valid, unexpired and of one team. */
  verify(apiKey: string, bearerToken: string): Promise<Pair | null>
  /**
   * Returns the agent of a key without a token, where a platform's webhook can carry nothing else; null when it is not
   * valid.
   */
  agentOfKey(apiKey: string): Promise<number | null>
  /**
   * Creates a key of an agent, shown only this once. `db` may be a transaction. Null when there is no such agent.
   * @param given the text of the key, which holds its id, in place of a new one
   */
  issueKey(
    db: Kysely<Tables>,
    agentId: number,
    name: string,
    by: By,
    given?: string | null,
  ): Promise<{ key_id: number; api_key: string } | null>
  /**
   * Creates a token of a team, shown only this once. `db` may be a transaction. Null when there is no such team.
   * @param given the text of the token, which holds its id, in place of a new one
   */
  issueToken(
    db: Kysely<Tables>,
    teamId: number,
    token: NewToken,
    by: By,
    given?: string | null,
  ): Promise<{ token_id: number; bearer_token: string } | null>
  /** Reads the keys of an agent; null when there is no such agent. */
  listKeys(agentId: number, db?: Kysely<Tables>): Promise<Selectable<ApiKeysTable>[] | null>
  /** Reads the tokens of a team; null when there is no such team. */
  listTokens(teamId: number, db?: Kysely<Tables>): Promise<Selectable<BearerTokensTable>[] | null>
  /** Revokes a key at once, only of the agent if one is given; false when there is no unrevoked key with this id. */
  revokeKey(key: { id: number; agentId?: number }, by: By): Promise<boolean>
  /** Revokes all keys of an agent, in the transaction that deletes the agent. */
  revokeKeysOf(db: Kysely<Tables>, agentId: number, now: string): Promise<void>
  /** Revokes a token at once, only of the team if one is given; false when there is no unrevoked token with this id. */
  revokeToken(token: { id: number; teamId?: number }, by: By): Promise<boolean>
}

/**
 * Returns the sealed hash key, which no two installations share; null before the first start. From then on the master
 * key is needed.
 */
export async function sealedHashKey(db: Kysely<Tables>): Promise<string | null> {
  return installationValue(db, HASH_KEY)
}

/** @throws Error if a box does not open the hash key among an installation's values, if they have one */
export function refuseOtherKeys(box: SecretBox, installation: ReadonlyMap<string, string>): void {
  const sealed = installation.get(HASH_KEY)
  if (sealed !== undefined) box.open(sealed, HASH_KEY_PLACE)
}

/** Reads the installation's hash key, and creates it at the first start. */
export async function openCredentials(
  db: Kysely<Tables>,
  box: SecretBox,
  clock: Clock,
): Promise<Credentials> {
  const fresh = box.seal(randomBytes(32).toString('base64'), HASH_KEY_PLACE)
  await addInstallationValue(db, HASH_KEY, fresh)
  const sealed = (await sealedHashKey(db)) as string
  const hashKey = Buffer.from(box.open(sealed, HASH_KEY_PLACE), 'base64')
  const hash = (credential: string) => createHmac('sha256', hashKey).update(credential).digest('base64url')
  /** Correct pairs, by a digest that keeps their texts out of memory: reading a pair costs more than the query. */
  const knownPairs = newest<string, ReadPair>(PAIRS_KEPT)

  function readPair(apiKey: string, bearerToken: string): ReadPair | null {
    const keyId = readCredentialId('key', apiKey)
    const tokenId = readCredentialId('token', bearerToken)
    if (keyId === null || tokenId === null) return null
    return { keyId, tokenId, keyHash: hash(apiKey), tokenHash: hash(bearerToken) }
  }

  return {
    deriveKey: (purpose) => hash(`key for ${purpose}`),
    async verify(apiKey, bearerToken) {
      const name = digest('sha256', `${apiKey} ${bearerToken}`)
      const known = knownPairs.get(name)
      const pair = known ?? readPair(apiKey, bearerToken)
      if (!pair) return null
      const { keyId, tokenId } = pair
      // The validity of both is read each time, so that a revocation takes effect at once.
      const [stored] = await acrossAgents('the agent is known once its credential is read', () =>
        store.findPair(db, { key_id: keyId, token_id: tokenId }),
      )
      // Both hashes are always compared, even if the first differs or there is no such pair.
      const keyMatches = equalInConstantTime(pair.keyHash, stored?.key_hash ?? '')
      const tokenMatches = equalInConstantTime(pair.tokenHash, stored?.token_hash ?? '')
      if (!stored || !keyMatches || !tokenMatches) return null
      const { right } = stored
      if (!isRight(right)) return null
      if (stored.expires_at !== null && stored.expires_at <= timestamp(clock())) return null
      if (!known) knownPairs.set(name, pair)
      const { agent_id: agentId, team_id: teamId, token_name: tokenName } = stored
      return { agentId, teamId, keyId, tokenId, tokenName, right }
    },

    async agentOfKey(apiKey) {
      const keyId = readCredentialId('key', apiKey)
      if (keyId === null) return null
      const [key] = await acrossAgents('the agent is known once its key is read', () =>
        store.findKey(db, { id: keyId }),
      )
      return equalInConstantTime(hash(apiKey), key?.hash ?? '') && key ? key.agent_id : null
    },

    async issueKey(db, agentId, name, by, given = null) {
      const teamId = await teamOfAgent(db, agentId)
      if (teamId === null) return null
      const created_at = timestamp(clock())
      const row = { agent_id: agentId, team_id: teamId, name, created_at }
      const key_id = await store.insertKey(db, row, given === null ? null : readCredentialId('key', given))
      const api_key = given ?? writeCredential('key', key_id)
      await store.activateKey(db, key_id, hash(api_key))
      const target = `key ${key_id}`
      await record(db, { teamId, agentId, at: created_at, ...by, action: 'key.created', target })
      return { key_id, api_key }
    },

    async issueToken(db, teamId, { name, right, expiresAt }, by, given = null) {
      if (!(await teamExists(db, teamId))) return null
      const created_at = timestamp(clock())
      const expires_at = expiresAt === null ? null : timestamp(expiresAt)
      const row = { team_id: teamId, name, right, created_at, expires_at }
      const token_id = await store.insertToken(
        db,
        row,
        given === null ? null : readCredentialId('token', given),
      )
      const bearer_token = given ?? writeCredential('token', token_id)
      await store.activateToken(db, token_id, hash(bearer_token))
      const target = `token ${token_id}`
      const details = { right, expires_at }
      await record(db, { teamId, at: created_at, ...by, action: 'token.created', target, details })
      return { token_id, bearer_token }
    },

    async listKeys(agentId, inDb = db) {
      return (await teamOfAgent(inDb, agentId)) === null ? null : store.listKeys(inDb, agentId)
    },

    async listTokens(teamId, inDb = db) {
      return (await teamExists(inDb, teamId)) ? store.listTokens(inDb, teamId) : null
    },

    revokeKey(key, by) {
      const at = timestamp(clock())
      return db.transaction().execute(async (db) => {
        const revoked = await store.revokeKey(db, key, at)
        if (!revoked) return false
        const { team_id: teamId, agent_id: agentId } = revoked
        await record(db, { teamId, agentId, at, ...by, action: 'key.revoked', target: `key ${key.id}` })
        return true
      })
    },

    revokeToken(token, by) {
      const at = timestamp(clock())
      return db.transaction().execute(async (db) => {
        const revoked = await store.revokeToken(db, token, at)
        if (!revoked) return false
        const target = `token ${token.id}`
        await record(db, { teamId: revoked.team_id, at, ...by, action: 'token.revoked', target })
        return true
      })
    },

    revokeKeysOf: store.revokeKeysOf,
  }
}
