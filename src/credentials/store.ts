import type { Kysely, Selectable } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { ApiKeysTable, BearerTokensTable } from './tables.ts'

type Db = Kysely<Tables>

/** A key and a token side by side, where neither is revoked and the two are of one team. */
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

/** A key that is not revoked. */
export const findKey = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .selectFrom('api_keys')
    .select(['agent_id', 'hash'])
    .where('id', '=', param('id'))
    .where('revoked_at', 'is', null),
)

export async function insertKey(
  db: Db,
  row: { agent_id: number; team_id: number; name: string; created_at: string },
) {
  const { id } = await db
    .insertInto('api_keys')
    .values({ ...row, hash: '', revoked_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Puts a new key's hash in place and makes it valid: its text holds its id, so the row came first. */
export async function activateKey(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable('api_keys').set({ hash, revoked_at: null }).where('id', '=', id).execute()
}

export async function listKeys(db: Db, agentId: number): Promise<Selectable<ApiKeysTable>[]> {
  return db.selectFrom('api_keys').selectAll().where('agent_id', '=', agentId).orderBy('id').execute()
}

/** Returns whose it was; undefined when there was no such key that was not revoked before. */
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

/** Ends all keys of an agent. */
export async function revokeKeysOf(db: Db, agentId: number, now: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function insertToken(
  db: Db,
  row: { team_id: number; name: string; right: string; created_at: string; expires_at: string | null },
) {
  const { id } = await db
    .insertInto('bearer_tokens')
    .values({ ...row, hash: '', revoked_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The same for a token as `activateKey` for a key. */
export async function activateToken(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable('bearer_tokens').set({ hash, revoked_at: null }).where('id', '=', id).execute()
}

export async function listTokens(db: Db, teamId: number): Promise<Selectable<BearerTokensTable>[]> {
  return db.selectFrom('bearer_tokens').selectAll().where('team_id', '=', teamId).orderBy('id').execute()
}

/** Returns whose it was; undefined when there was no such token that was not revoked before. */
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

export async function teamOfAgent(db: Db, agentId: number): Promise<number | null> {
  const row = await db
    .selectFrom('agents')
    .select('team_id')
    .where('id', '=', agentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.team_id ?? null
}

export async function teamExists(db: Db, teamId: number): Promise<boolean> {
  const row = await db.selectFrom('teams').select('id').where('id', '=', teamId).executeTakeFirst()
  return row !== undefined
}

export async function hasInstallationValue(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('installation').select('name').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** Keeps the first value given under a name and returns it, whoever gave it. */
export async function keepInstallationValue(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
