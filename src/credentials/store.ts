import type { Kysely, Selectable } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { pageOfAgent, pageOfTeam } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { ApiKeysTable, BearerTokensTable } from './tables.ts'

type Db = Kysely<Tables>

/** Reads a key and a token together, where neither is revoked and both are of one team. */
export const findPair = prepared((db, param: ParamOf<{ key_id: number; token_id: number }>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('bearer_tokens', 'bearer_tokens.team_id', 'api_keys.team_id')
    .where('api_keys.id', '=', param('key_id'))
    .where('bearer_tokens.id', '=', param('token_id'))
    .where('api_keys.revoked_at', 'is', null)
    .where('bearer_tokens.revoked_at', 'is', null)
    .select([
      'api_keys.agent_id',
      'api_keys.team_id',
      'api_keys.hash as key_hash',
      'bearer_tokens.hash as token_hash',
      'bearer_tokens.name as token_name',
      'bearer_tokens.right',
      'bearer_tokens.expires_at',
    ]),
)

/** Selects those of some keys that are not revoked. */
export async function selectValidKeys(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Selects those of some tokens that are neither revoked nor expired. */
export async function selectValidTokens(
  db: Db,
  ids: readonly number[],
  now: string,
): Promise<{ id: number; right: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('bearer_tokens')
    .select(['id', 'right'])
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
}

/** Reads a key that is not revoked. */
export const findKey = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .selectFrom('api_keys')
    .select(['agent_id', 'hash'])
    .where('id', '=', param('id'))
    .where('revoked_at', 'is', null),
)

/** @param id the key's id, if it has one already */
export async function insertKey(
  db: Db,
  row: { agent_id: number; team_id: number; name: string; created_at: string },
  id: number | null,
) {
  const key = await db
    .insertInto('api_keys')
    .values({ ...row, ...(id === null ? {} : { id }), hash: '', revoked_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return key.id
}

/** Stores a new key's hash and makes the key valid. Its text holds its id, so the row had to come first. */
export async function activateKey(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable('api_keys').set({ hash, revoked_at: null }).where('id', '=', id).execute()
}

export const selectKeysPage = pageOfAgent((db) => db.selectFrom('api_keys').selectAll())

export async function listKeys(db: Db, agentId: number): Promise<Selectable<ApiKeysTable>[]> {
  return db.selectFrom('api_keys').selectAll().where('agent_id', '=', agentId).orderBy('id').execute()
}

/** Revokes a key and returns its owner; undefined when there was none, or it was revoked before. */
export async function revokeKey(
  db: Db,
  { id, agentId }: { id: number; agentId?: number },
  now: string,
): Promise<{ agent_id: number; team_id: number } | undefined> {
  const update = db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['agent_id', 'team_id'])
  return (agentId === undefined ? update : update.where('agent_id', '=', agentId)).executeTakeFirst()
}

/** Revokes all keys of an agent. */
export async function revokeKeysOf(db: Db, agentId: number, now: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** @param id the token's id, if it has one already */
export async function insertToken(
  db: Db,
  row: { team_id: number; name: string; right: string; created_at: string; expires_at: string | null },
  id: number | null,
) {
  const token = await db
    .insertInto('bearer_tokens')
    .values({ ...row, ...(id === null ? {} : { id }), hash: '', revoked_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return token.id
}

/** Stores a new token's hash and makes the token valid, as `activateKey` does for a key. */
export async function activateToken(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable('bearer_tokens').set({ hash, revoked_at: null }).where('id', '=', id).execute()
}

export const selectTokensPage = pageOfTeam((db) => db.selectFrom('bearer_tokens').selectAll())

export async function listTokens(db: Db, teamId: number): Promise<Selectable<BearerTokensTable>[]> {
  return db.selectFrom('bearer_tokens').selectAll().where('team_id', '=', teamId).orderBy('id').execute()
}

/** Revokes a token and returns its owner; undefined when there was none, or it was revoked before. */
export async function revokeToken(
  db: Db,
  { id, teamId }: { id: number; teamId?: number },
  now: string,
): Promise<{ team_id: number } | undefined> {
  const update = db
    .updateTable('bearer_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('team_id')
  return (teamId === undefined ? update : update.where('team_id', '=', teamId)).executeTakeFirst()
}
