import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import type { UserAnswer } from './schemas.ts'
import type { UserRow } from './tables.ts'
import { type Proof, readSourcedId, type UserKey, userKey } from './user-key.ts'

type Db = Kysely<Tables>

/** A character that sorts after all others, for the end of a range of texts with the same beginning. */
const LAST_CHARACTER = '\u{10ffff}'

/** The part of an end user's row that prompts are answered with. */
export type KnownUser = Pick<UserRow, 'id' | 'proof' | 'name' | 'attributes' | 'blocked_at'>

/** Joins end users with the rows that hold their profiles: their own, or that of the person who they are one of. */
function withPerson(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('users')
    .innerJoin('users as person', (join) =>
      join
        .onRef('person.agent_id', '=', 'users.agent_id')
        .on('person.id', '=', sql<UserKey>`coalesce(users.person_id, users.id)`),
    )
}

const knownColumns = [
  'users.id',
  'users.proof',
  'person.name',
  'person.attributes',
  'person.blocked_at',
] as const

/** Reads what is known of an end user. */
export const selectKnownUser = prepared((db, param: ParamOf<{ agent_id: number; id: UserKey }>) =>
  withPerson(db)
    .select(knownColumns)
    .where('users.agent_id', '=', param('agent_id'))
    .where('users.id', '=', param('id')),
)

/** Records an end user; returns a row when they were not known before. */
export const insertUser = prepared(
  (db, param: ParamOf<Pick<UserRow, 'agent_id' | 'id' | 'given_id' | 'proof' | 'first_seen_at'>>) =>
    db
      .insertInto('users')
      .values({
        agent_id: param('agent_id'),
        id: param('id'),
        given_id: param('given_id'),
        proof: param('proof'),
        first_seen_at: param('first_seen_at'),
      })
      .onConflict((conflict) => conflict.columns(['agent_id', 'id']).doNothing())
      .returning('id'),
)

const selectBlocked = prepared((db, param: ParamOf<{ agent_id: number; id: UserKey }>) =>
  withPerson(db)
    .select('users.id')
    .where('users.agent_id', '=', param('agent_id'))
    .where('users.id', '=', param('id'))
    .where('person.blocked_at', 'is not', null),
)

/** Tells whether people have blocked an end user, whom nobody answers then. @param id null: nobody is named */
export async function isBlocked(db: Db, agent_id: number, id: UserKey | null): Promise<boolean> {
  return id !== null && (await selectBlocked(db, { agent_id, id })).length > 0
}

/** Stores since when some end users are blocked. @param blocked_at null: they no longer are */
export async function setBlocked(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
  blocked_at: string | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ blocked_at })
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
}

/** Stores the proof of who an end user is. */
export const setProof = prepared((db, param: ParamOf<{ agent_id: number; id: UserKey; proof: Proof }>) =>
  db
    .updateTable('users')
    .set({ proof: param('proof') })
    .where('agent_id', '=', param('agent_id'))
    .where('id', '=', param('id'))
    .where('given_id', 'is not', null)
    .where('proof', '!=', param('proof')),
)

export async function selectUser(db: Db, agentId: number, id: UserKey): Promise<UserRow | undefined> {
  return userOf(db, agentId, id).executeTakeFirst()
}

/** Reads an end user and keeps others from changing the profile until the transaction ends. */
export async function lockUser(db: Db, agentId: number, id: UserKey): Promise<UserRow | undefined> {
  return userOf(db, agentId, id).forNoKeyUpdate().executeTakeFirst()
}

function userOf(db: Db, agentId: number, id: UserKey) {
  return db.selectFrom('users').selectAll().where('agent_id', '=', agentId).where('id', '=', id)
}

/** Stores which fields of a profile come from merged end users. */
export async function setAdopted(
  db: Db,
  agentId: number,
  id: UserKey,
  adopted: string | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ adopted })
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .execute()
}

/** Writes the profile in an end user's row, and the words by which it is found. */
export async function writeProfile(
  db: Db,
  agentId: number,
  id: UserKey,
  profile: Pick<UserRow, 'name' | 'attributes' | 'adopted'>,
  words: readonly string[],
): Promise<void> {
  await db.updateTable('users').set(profile).where('agent_id', '=', agentId).where('id', '=', id).execute()
  await db.deleteFrom('user_words').where('agent_id', '=', agentId).where('user_id', '=', id).execute()
  await insertWords(
    db,
    words.map((word) => ({ agent_id: agentId, word, user_id: id })),
  )
}

const insertWords = preparedInsert<{ agent_id: number; word: string; user_id: UserKey }>('user_words', [
  'agent_id',
  'word',
  'user_id',
])

/** Reads the ids of end users with a word that begins with a text in their name or attributes. */
export async function usersByWord(
  db: Db,
  agentId: number,
  beginning: string,
  limit: number,
): Promise<UserKey[]> {
  const rows = await db
    .selectFrom('user_words')
    .select('user_id')
    .where('agent_id', '=', agentId)
    .where(begins('word', beginning))
    .orderBy('agent_id')
    .orderBy('word')
    .limit(limit)
    .execute()
  return [...new Set(rows.map(({ user_id }) => user_id))]
}

/** Returns the condition that a column begins with a text, as a range of an index on it. */
function begins(column: 'word' | 'id' | 'given_id', beginning: string) {
  const text = sql.ref(column)
  return sql<boolean>`(${text} >= ${beginning} and ${text} < ${beginning + LAST_CHARACTER})`
}

/** Reads the keys of end users whose id begins with a text, as it was given or as `source:id`. */
export async function usersById(
  db: Db,
  agentId: number,
  beginning: string,
  limit: number,
): Promise<UserKey[]> {
  const keys: UserKey[] = []
  for (const column of ['given_id', 'id'] as const) {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('agent_id', '=', agentId)
      .where(begins(column, column === 'id' ? keyBeginning(beginning) : beginning))
      .orderBy('agent_id')
      .orderBy(column)
      .limit(limit)
      .execute()
    keys.push(...rows.map(({ id }) => id))
  }
  return [...new Set(keys)].slice(0, limit)
}

/** Returns the beginning of keys for a beginning of `source:id`. */
function keyBeginning(beginning: string): string {
  const sourced = readSourcedId(beginning)
  return sourced ? userKey(sourced) : beginning
}

/** Reads the keys of end users with these ids, of any source, in the order of their keys. */
export async function keysOfGivenIds(db: Db, agentId: number, givenIds: readonly string[]) {
  if (givenIds.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select(['id', 'given_id'])
    .where('agent_id', '=', agentId)
    .where('given_id', 'in', givenIds)
    .execute()
  // Ordered by the database, SQLite would read all users of the agent in that order.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

export async function selectUsers(db: Db, agentId: number, ids: readonly UserKey[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('users').selectAll().where('agent_id', '=', agentId).where('id', 'in', ids).execute()
}

/** Reads the profiles of end users, by their keys. */
export async function profilesOf(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
): Promise<ReadonlyMap<UserKey, KnownUser>> {
  if (ids.length === 0) return new Map()
  const rows = await withPerson(db)
    .select(knownColumns)
    .where('users.agent_id', '=', agentId)
    .where('users.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the names of end users that have one, by their keys. */
export async function namesOfUsers(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
): Promise<ReadonlyMap<UserKey, string>> {
  const profiles = await profilesOf(db, agentId, ids)
  return new Map([...profiles].flatMap(([id, { name }]) => (name === null ? [] : [[id, name]])))
}

/** The column with the key of a row of `allUsers`. */
export const USER_KEY = 'users.id'

/** Returns the query for the rows that hold profiles, to read a page of it. */
export function allUsers(db: Db) {
  return db.selectFrom('users').selectAll().where('person_id', 'is', null)
}

/** Reads the stored attributes of a profile. */
export function readAttributes(stored: string | null): UserAnswer['attributes'] {
  return JSON.parse(stored ?? '{}') as UserAnswer['attributes']
}
