import { type Kysely, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { lockUser } from './known-users.ts'
import type { UserRow, UsersTable } from './tables.ts'
import type { UserKey } from './user-key.ts'

type Db = Kysely<Tables>

/** The keys of one person. The first is that of the row with the profile. */
export type PersonKeys = readonly [UserKey, ...UserKey[]]

/** Returns the key of the row that holds the profile of an end user. */
export async function personKey(db: Db, agentId: number, id: UserKey): Promise<UserKey> {
  return (await personKeys(db, agentId, [id])).get(id) ?? id
}

/** Returns the keys of the rows that hold the profiles of those end users who were merged into others. */
export async function personKeys(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
): Promise<ReadonlyMap<UserKey, UserKey>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'person_id'])
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.flatMap(({ id, person_id }) => (person_id === null ? [] : [[id, person_id]])))
}

/** Returns all keys of the person who an end user is one of. */
export async function keysOfPerson(db: Db, agentId: number, id: UserKey): Promise<PersonKeys> {
  const person = await personKey(db, agentId, id)
  return [person, ...(await othersOf(db, agentId, person)).map(({ id }) => id)]
}

/** Returns SQL for the keys of a person. @param column the column with the first of them */
export function keysBehind(agentId: number, column: string): RawBuilder<UserKey> {
  return sql`(select ${sql.ref(column)} union all select other.id from users as other
    where other.agent_id = ${agentId} and other.person_id = ${sql.ref(column)})`
}

/** Reads the end users who were merged into a person, in the order in which that happened. */
export async function othersOf(db: Db, agentId: number, person: UserKey): Promise<UserRow[]> {
  return (await othersOfEach(db, agentId, [person])).get(person) ?? []
}

/** Reads the end users who were merged into some people, by person, in the order in which that happened. */
export async function othersOfEach(
  db: Db,
  agentId: number,
  people: readonly UserKey[],
): Promise<ReadonlyMap<UserKey | null, UserRow[]>> {
  if (people.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('person_id', 'in', people)
    .execute()
  // Ordered by the database, SQLite would read all users of the agent in that order.
  const placeOf = ({ merged_at, id }: UserRow) => `${merged_at ?? ''} ${id}`
  return Map.groupBy(
    rows.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)),
    ({ person_id }) => person_id,
  )
}

/**
 * Locks the row with the profile of an end user. Whoever changes who belongs to a person holds this lock, so that
 * nobody joins or leaves them meanwhile.
 */
export async function lockPerson(db: Db, agentId: number, id: UserKey): Promise<UserRow | undefined> {
  for (let key = await personKey(db, agentId, id); ; ) {
    const row = await lockUser(db, agentId, key)
    if (!row?.person_id) return row
    key = row.person_id
  }
}

/** Stores into whom some end users are merged. */
export async function setMerged(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
  merged: Pick<Updateable<UsersTable>, 'person_id' | 'merged_into' | 'merged_at'>,
): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('users').set(merged).where('agent_id', '=', agentId).where('id', 'in', ids).execute()
}

/** Locks the rows of some end users, in an order in which nobody waits for each other. */
export async function lockUsers(
  db: Db,
  agentId: number,
  ids: readonly UserKey[],
): Promise<ReadonlyMap<UserKey, UserRow>> {
  const rows = new Map<UserKey, UserRow>()
  for (const id of ids.toSorted()) {
    const row = await lockUser(db, agentId, id)
    if (row) rows.set(id, row)
  }
  return rows
}
