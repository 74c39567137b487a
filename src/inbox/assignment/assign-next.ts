import { type Kysely, type SqlBool, sql } from 'kysely'
import { bySystem } from '../../audit/record.ts'
import { setAssignment } from '../../desk/assign.ts'
import { assignedTo, lockGroup, membersOf } from '../../groups/store.ts'
import type { GroupRow } from '../../groups/tables.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { lockAvailable, whoIsAvailable } from '../../operators/availability.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'

/** The time for which the others of a queue go before a conversation that could not be given. */
const PUT_OFF_MS = 60_000

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isAway' | 'isLocked'>
  clock: Clock
  /** The conversations that could not be given, with the times until which others go before them. */
  putOff: Map<string, number>
}

/**
 * Gives the conversation that is next in a group's queue to somebody who is free. The rows of the group and of the
 * person are locked until it is given, so that all processes together give it once, and nobody too many.
 * @returns false when nothing waits, or nobody is free
 * @throws the failure to give the conversation, which is put off for a minute unless the database is at fault
 */
export async function assignNext(
  { db, engine, clock, putOff }: Dependencies,
  { id, team_id }: Pick<GroupRow, 'id' | 'team_id'>,
): Promise<boolean> {
  for (const [conversation, until] of putOff) if (until <= clock()) putOff.delete(conversation)
  let next: string | undefined
  const giveIt = async (db: Kysely<Tables>) => {
    const group = await lockGroup(db, team_id, id)
    if (!group || group.assignment === 'off') return false
    next = await nextInQueue(db, id, [...putOff.keys()])
    if (next === undefined) return false
    const now = timestamp(clock())
    const person = await lockNextPerson(db, group, now)
    if (!person) return false
    const conversation = await lockConversation(db, next)
    const { assignee_id, group_id, waiting_since, ended_at, snoozed_until } = conversation
    const isWaiting = waiting_since !== null && ended_at === null && snoozed_until === null
    if (!isWaiting || assignee_id !== null || group_id !== id) return false
    await setAssignment(db, conversation, { assignee: person }, now, bySystem)
    await assignedTo(db, id, person.id)
    return true
  }
  try {
    return await db.transaction().execute(giveIt)
  } catch (error) {
    const isOfDatabase = engine.isAway(error) || engine.isLocked(error)
    if (next !== undefined && !isOfDatabase) putOff.set(next, clock() + PUT_OFF_MS)
    throw error
  }
}

/** Reads the most urgent unassigned conversation that waits in a group; of equally urgent ones, the oldest. */
async function nextInQueue(
  db: Kysely<Tables>,
  groupId: number,
  without: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('inbox_rows')
    .select('conversation_id')
    .where('group_id', '=', groupId)
    .where(sql<SqlBool>`group_id > 0 and state = 0 and waiting_since is not null`)
    .$if(without.length > 0, (query) => query.where('conversation_id', 'not in', without))
    .orderBy('priority')
    .orderBy('waiting_since')
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  return row?.conversation_id
}

/** Locks the members who are available, and chooses who is next among those who have room. */
async function lockNextPerson(db: Kysely<Tables>, group: GroupRow, now: string) {
  const { assignment, at_once, last_operator_id } = group
  const members = await whoIsAvailable(db, await membersOf(db, group.id), now)
  const people = await lockAvailable(db, group.team_id, members, now)
  // Counted behind the lock, as another group may have given them one before.
  const counts = await inHand(db, members)
  const countOf = (id: number) => counts.get(id) ?? 0
  const hasRoom = (count: number) => at_once === null || count < at_once
  const isLater = (id: number) => (id > last_operator_id ? 0 : 1)
  const [next] = people
    .filter(({ id }) => hasRoom(countOf(id)))
    .sort((a, b) => isLater(a.id) - isLater(b.id) || a.id - b.id)
    .sort((a, b) => (assignment === 'least_loaded' ? countOf(a.id) - countOf(b.id) : 0))
  return next
}

/** Counts the open conversations that some people have to answer: those that wait, or in which the agent is paused. */
async function inHand(db: Kysely<Tables>, people: readonly number[]): Promise<Map<number, number>> {
  if (people.length === 0) return new Map()
  const rows = await db
    .selectFrom('inbox_rows')
    .select(['assignee_id', (select) => select.fn.countAll<number>().as('count')])
    .where('assignee_id', 'in', people)
    .where(sql<SqlBool>`state = 1 and (is_paused = 1 or waiting_since is not null)`)
    .groupBy('assignee_id')
    .execute()
  return new Map(rows.map(({ assignee_id, count }) => [assignee_id, Number(count)]))
}
