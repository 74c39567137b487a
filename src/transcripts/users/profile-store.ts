import { type Kysely, sql } from 'kysely'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UserRow } from '../tables.ts'

type Db = Kysely<Tables>

/** Sorts behind whatever begins like the text before it. */
const LAST_CHARACTER = '\u{10ffff}'

export async function selectUser(db: Db, agentId: number, id: string): Promise<UserRow | undefined> {
  return userOf(db, agentId, id).executeTakeFirst()
}

/** Reads an end user and keeps others from changing the profile until the transaction ends. */
export async function lockUser(db: Db, agentId: number, id: string): Promise<UserRow | undefined> {
  return userOf(db, agentId, id).forNoKeyUpdate().executeTakeFirst()
}

function userOf(db: Db, agentId: number, id: string) {
  return db.selectFrom('users').selectAll().where('agent_id', '=', agentId).where('id', '=', id)
}

/** Writes a profile, and the words by which it is found. */
export async function writeProfile(
  db: Db,
  agentId: number,
  id: string,
  profile: Pick<UserRow, 'name' | 'attributes'> & Partial<Pick<UserRow, 'identity'>>,
  words: readonly string[],
): Promise<void> {
  await db.updateTable('users').set(profile).where('agent_id', '=', agentId).where('id', '=', id).execute()
  await db.deleteFrom('user_words').where('agent_id', '=', agentId).where('user_id', '=', id).execute()
  await insertWords(
    db,
    words.map((word) => ({ agent_id: agentId, word, user_id: id })),
  )
}

const insertWords = preparedInsert<{ agent_id: number; word: string; user_id: string }>('user_words', [
  'agent_id',
  'word',
  'user_id',
])

/** Ids of end users with a word that begins so in their name or attributes. */
export async function usersByWord(
  db: Db,
  agentId: number,
  beginning: string,
  limit: number,
): Promise<string[]> {
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

/** Whether a text begins so, as a range of an index on it. */
function begins(column: 'word' | 'id', beginning: string) {
  const text = sql.ref(column)
  return sql<boolean>`(${text} >= ${beginning} and ${text} < ${beginning + LAST_CHARACTER})`
}

/** Ids of end users that begin so. */
export async function usersById(
  db: Db,
  agentId: number,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(begins('id', beginning))
    .orderBy('agent_id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function selectUsers(db: Db, agentId: number, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('users').selectAll().where('agent_id', '=', agentId).where('id', 'in', ids).execute()
}

/** The names of end users that have one, by their ids. */
export async function namesOfUsers(
  db: Db,
  agentId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectUsers(db, agentId, [...new Set(ids)])
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

/** How many conversations or completions of an end user there are, counted to a limit. */
export async function countOfUser(
  db: Db,
  table: 'conversations' | 'completions',
  agentId: number,
  id: string,
  limit: number,
): Promise<number> {
  const counted = db
    .selectFrom(table)
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .limit(limit)
  const { count } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Where the last prompts of an end user were written, the newest first. */
export async function lastPagesOfUser(db: Db, agentId: number, id: string, limit: number) {
  return db
    .selectFrom('completions')
    .select(['page_url', 'created_at'])
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}
