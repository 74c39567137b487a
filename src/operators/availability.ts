import type { Kysely } from 'kysely'
import { QUEUES } from '../groups/queues-topic.ts'
import { groupsOf } from '../groups/store.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { lockSelf, type Self } from './own-account.ts'
import { IDLE_MS } from './sessions.ts'
import { lockOperators, selectAvailable, selectOperatorById, updateOperator } from './store.ts'

/** The state of a person: whether they are given conversations, and until when if they do nothing more. */
interface Availability {
  available: boolean
  until: string | null
  /** The number of groups that they are in. */
  groups: number
}

export async function readAvailability(db: Kysely<Tables>, id: number, nowMs: number): Promise<Availability> {
  return present(db, id, (await selectOperatorById(db, id))?.available_until ?? null, nowMs)
}

/**
 * Makes a person available, until their session would end for want of use, or away.
 * @throws ApiError no_session if the session has ended meanwhile
 */
export async function setAvailability(
  db: Kysely<Tables>,
  self: Pick<Self, 'signedIn'>,
  available: boolean,
  nowMs: number,
): Promise<Availability> {
  const available_until = available ? timestamp(nowMs + IDLE_MS) : null
  return db.transaction().execute(async (db) => {
    const { id } = await lockSelf(db, self)
    await updateOperator(db, id, { available_until })
    if (available) wake(db, QUEUES)
    return present(db, id, available_until, nowMs)
  })
}

async function present(
  db: Kysely<Tables>,
  id: number,
  until: string | null,
  nowMs: number,
): Promise<Availability> {
  const available = until !== null && until > timestamp(nowMs)
  return { available, until: available ? until : null, groups: (await groupsOf(db, id)).length }
}

/** Returns those of some people who are available, and have the right to answer, by their ids. */
export async function whoIsAvailable(
  db: Kysely<Tables>,
  ids: readonly number[],
  now: string,
): Promise<number[]> {
  return ids.length === 0 ? [] : selectAvailable(db, ids, now)
}

/** Locks the rows of some people until the transaction ends, and returns those who are available, by their ids. */
export async function lockAvailable(
  db: Kysely<Tables>,
  teamId: number,
  ids: readonly number[],
  now: string,
): Promise<{ id: number; name: string }[]> {
  if (ids.length === 0) return []
  const people = await lockOperators(db, teamId, ids)
  const available = new Set(await selectAvailable(db, ids, now))
  return people.filter(({ id }) => available.has(id))
}
