import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { Proof, UserKey } from './user-key.ts'

type Db = Kysely<Tables>

/** An id that an older version has stored. */
interface UnsourcedId {
  agent_id: number
  id: UserKey
}

/** Returns those of some ids that a version without sources may have stored. */
export async function unsourcedOf(db: Db, agentId: number, ids: readonly UserKey[]): Promise<Set<UserKey>> {
  if (ids.length === 0) return new Set()
  const [old, noted] = await Promise.all([
    db
      .selectFrom('users')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('id', 'in', ids)
      .where('given_id', 'is', null)
      .execute(),
    db
      .selectFrom('unsourced_users')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('id', 'in', ids)
      .execute(),
  ])
  return new Set([...old, ...noted].map(({ id }) => id))
}

/** Reads some of the end users that an older version has stored. */
export async function selectOldUsers(db: Db, limit: number): Promise<UnsourcedId[]> {
  return db
    .selectFrom('users')
    .select(['agent_id', 'id'])
    .where('given_id', 'is', null)
    .orderBy('agent_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Reads some of the ids that an older version has stored meanwhile and that are due. */
export async function selectNotedIds(db: Db, now: string, limit: number) {
  return db
    .selectFrom('unsourced_users')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

/** Puts off a noted id to `again`, or deletes it for null, unless it was noted again since it was read. */
export async function settleNotedId(
  db: Db,
  { agent_id, id, due_at }: UnsourcedId & { due_at: string },
  again: string | null,
): Promise<void> {
  if (again === null) {
    await db
      .deleteFrom('unsourced_users')
      .where('agent_id', '=', agent_id)
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .execute()
    return
  }
  await db
    .updateTable('unsourced_users')
    .set({ due_at: again })
    .where('agent_id', '=', agent_id)
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .execute()
}

/** Marks the row of an older version as a user of the API. */
export async function markSourced(db: Db, agentId: number, id: UserKey, proof: Proof): Promise<void> {
  await db
    .updateTable('users')
    .set({ given_id: id, proof })
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .execute()
}

export async function deleteUser(db: Db, agentId: number, id: UserKey): Promise<void> {
  await db.deleteFrom('user_words').where('agent_id', '=', agentId).where('user_id', '=', id).execute()
  await db.deleteFrom('users').where('agent_id', '=', agentId).where('id', '=', id).execute()
}
