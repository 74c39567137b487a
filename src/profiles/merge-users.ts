import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, invalidField } from '../errors.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { lockUser, readAttributes, setBlocked, writeProfile } from '../users/known-users.ts'
import { keysOfPerson, lockUsers, othersOf, personKey, personKeys, setMerged } from '../users/person-store.ts'
import type { UserRow } from '../users/tables.ts'
import type { UserKey } from '../users/user-key.ts'
import { adopt } from './adopted.ts'
import { endConversations } from './block-user.ts'
import { tellOfPerson, wordsOf } from './profile.ts'
import { undoUntil } from './undo-until.ts'

type Db = Kysely<Tables>

/** The purpose of the lock under which it changes which of an agent's end users are one person. */
const MERGES = 37
/** The most end users that are one person. */
const MOST_IDENTITIES = 50

type Stored = Pick<Database, 'db' | 'engine'>

/**
 * Makes two people one, whose profile is that of the second. The messages of the first stay in their rows, and are read
 * together with those of the second from then on. When one of them is blocked, both are.
 * @param from the key of a profile
 * @param into the key of a profile
 * @throws ApiError user_not_found, user_merged, invalid_request when they would have too many ids
 */
export async function mergeUsers(
  { db, engine }: Stored,
  agentId: number,
  from: UserKey,
  into: UserKey,
  now: string,
  by: TeamBy,
): Promise<void> {
  if (from === into) throw new ApiError('user_merged')
  const keys = await db.transaction().execute(async (db) => {
    await engine.lock(db, MERGES, agentId)
    // Somebody else may have merged one of them, whose row is locked only behind that of the person.
    if ((await personKeys(db, agentId, [from, into])).size > 0) throw new ApiError('user_merged')
    const locked = await lockUsers(db, agentId, [from, into])
    const one = locked.get(from)
    const other = locked.get(into)
    if (!one || !other) throw new ApiError('user_not_found')
    const moved = await keysOfPerson(db, agentId, from)
    const keys = await keysOfPerson(db, agentId, into)
    if (moved.length + keys.length > MOST_IDENTITIES)
      throw invalidField('into', `would have more than ${MOST_IDENTITIES} ids`)
    await setMerged(db, agentId, moved, { person_id: into })
    await setMerged(db, agentId, [from], { merged_into: into, merged_at: now })
    await renew(db, agentId, other)
    const target = `user ${from}`
    await record(db, {
      ...by,
      agentId,
      at: now,
      action: 'user.merged',
      target,
      details: { into: `user ${into}` },
    })
    const all = [...keys, ...moved] as const
    await tellOfPerson(db, agentId, [into, ...all.slice(1)])
    return one.blocked_at === null && other.blocked_at === null ? null : all
  })
  if (keys) await endConversations(db, agentId, [into, ...keys.slice(1)], now, by)
}

/**
 * Makes an end user who was merged a person of their own again, with those who had been merged into them, and with the
 * profile that they had.
 * @param id the key of the end user
 * @throws ApiError user_not_found, user_not_merged, merge_final
 */
export async function undoMerge(
  { db, engine }: Stored,
  agentId: number,
  id: UserKey,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await engine.lock(db, MERGES, agentId)
    const person = await personKey(db, agentId, id)
    // The row with the profile first, as everybody locks a person.
    const owner = await lockUser(db, agentId, person)
    const user = await lockUser(db, agentId, id)
    if (!user || !owner) throw new ApiError('user_not_found')
    // Also when somebody else has undone the merge meanwhile, or has merged the person.
    if (user.person_id !== person || id === person) throw new ApiError('user_not_merged')
    if (undoUntil(user.merged_at, Date.parse(now)) === null) throw new ApiError('merge_final')
    const others = await othersOf(db, agentId, person)
    const theirs = mergedInto(others, id)
    await setMerged(db, agentId, theirs, { person_id: id })
    await setMerged(db, agentId, [id], { person_id: null, merged_into: null, merged_at: null })
    await renew(db, agentId, owner)
    await renew(db, agentId, user)
    const details = { into: `user ${person}` }
    await record(db, { ...by, agentId, at: now, action: 'user.unmerged', target: `user ${id}`, details })
    for (const one of [id, person]) await tellOfPerson(db, agentId, await keysOfPerson(db, agentId, one))
  })
}

/** Returns those end users who were merged into one, or into somebody who was. */
function mergedInto(users: readonly UserRow[], id: UserKey): UserKey[] {
  const direct = users.filter(({ merged_into }) => merged_into === id)
  return direct.flatMap((user) => [user.id, ...mergedInto(users, user.id)])
}

/** Writes the profile of a person anew, from those who are one with them now. */
async function renew(db: Db, agentId: number, person: UserRow): Promise<void> {
  const { blocked_at, ...profile } = adopt(person, await othersOf(db, agentId, person.id))
  const words = wordsOf(profile.name, readAttributes(profile.attributes))
  await writeProfile(db, agentId, person.id, profile, words)
  await setBlocked(db, agentId, [person.id], blocked_at)
}
