import { type Kysely, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { queueOf } from '../work/queue.ts'
import type { Count } from './clock.ts'
import type { ClockRow, RecountRow, TargetRow } from './tables.ts'

type Db = Kysely<Tables>

/** The topics of wake-ups for clocks that run, and for agents whose clocks are to be counted anew. */
export const CLOCKS = 'clocks of targets'
export const RECOUNTS = 'recounts of targets'

export const clockQueue = queueOf('target_clocks', byAgent)
export const recountQueue = queueOf('target_recounts', byAgent)

/** Values by which a piece of work begins anew. */
const ANEW = { leased_until: null, attempts: 0, deaths: 0, parked_at: null, failure: null }

const selectTargets = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('targets')
    .selectAll()
    .where('agent_id', '=', param('agent_id'))
    .orderBy('position')
    .orderBy('id'),
)

/** Reads the targets of an agent, in the order in which they are tried. */
export async function readTargets(db: Db, agentId: number): Promise<TargetRow[]> {
  return selectTargets(db, { agent_id: agentId })
}

/** Reads a target and locks it until the transaction ends. */
export async function lockTarget(db: Db, agentId: number, id: number): Promise<TargetRow | undefined> {
  return db
    .selectFrom('targets')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertTarget(db: Db, row: Omit<TargetRow, 'id'>): Promise<TargetRow> {
  return db.insertInto('targets').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateTarget(
  db: Db,
  id: number,
  values: Partial<Omit<TargetRow, 'id' | 'agent_id'>>,
): Promise<TargetRow> {
  return db.updateTable('targets').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteTarget(db: Db, id: number): Promise<void> {
  await db.deleteFrom('targets').where('id', '=', id).execute()
}

const selectOpen = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('target_clocks')
    .selectAll()
    .where('conversation_id', '=', param('conversation_id'))
    .where('ended_at', 'is', null)
    .orderBy('id'),
)

/** Reads the open clocks of a conversation. Whoever changes them holds its row. */
export async function openClocks(db: Db, conversationId: string): Promise<ClockRow[]> {
  return selectOpen(db, { conversation_id: conversationId })
}

/** Reads the open clocks of some conversations, and the last one of each. */
export async function clocksOf(db: Db, conversationIds: readonly string[]): Promise<ClockRow[]> {
  if (conversationIds.length === 0) return []
  const last = db
    .selectFrom('target_clocks')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('conversation_id', 'in', conversationIds)
    .groupBy('conversation_id')
  return db
    .selectFrom('target_clocks')
    .selectAll()
    .where('conversation_id', 'in', conversationIds)
    .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('id', 'in', last)]))
    .orderBy('id')
    .execute()
}

/** Reads a clock that is open. */
export async function readOpenClock(db: Db, agentId: number, id: number): Promise<ClockRow | undefined> {
  return db
    .selectFrom('target_clocks')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Starts a clock. */
export async function insertClock(
  db: Db,
  clock: Pick<ClockRow, 'agent_id' | 'conversation_id' | 'target_id' | 'kind' | 'started_at'> & Count,
): Promise<void> {
  await db
    .insertInto('target_clocks')
    .values({ ...clock, due_at: clock.ends_at, leased_until: null })
    .execute()
  if (clock.ends_at !== null) wake(db, CLOCKS)
}

/**
 * Writes what a clock has counted. A worker that holds the row for another time loses it.
 * @param ending absent: it goes on
 * @param look when it is next looked at, while it runs
 */
export async function writeClock(
  db: Db,
  id: number,
  count: Count,
  ending: Partial<Pick<ClockRow, 'warned_at' | 'missed_at' | 'ended_at'>> = {},
  look: string | null = null,
): Promise<void> {
  const isOver = ending.missed_at != null || ending.ended_at != null
  const due_at = isOver ? null : look
  await db
    .updateTable('target_clocks')
    .set((row) => ({ ...count, ...ending, ...ANEW, due_at, lease: row('lease', '+', 1) }))
    .where('id', '=', id)
    .execute()
  if (due_at !== null) wake(db, CLOCKS)
}

/** Deletes a clock whose target no longer matters. */
export async function deleteClock(db: Db, id: number): Promise<void> {
  await db.deleteFrom('target_clocks').where('id', '=', id).execute()
}

/** Reads conversations of an agent with open clocks that are not missed, by the ids of these clocks. */
export async function nextClocks(
  db: Db,
  { agent_id, after_id }: Pick<RecountRow, 'agent_id' | 'after_id'>,
  limit: number,
): Promise<Pick<ClockRow, 'id' | 'conversation_id'>[]> {
  return db
    .selectFrom('target_clocks')
    .select(['id', 'conversation_id'])
    .where('agent_id', '=', agent_id)
    .where('id', '>', after_id)
    .where('ended_at', 'is', null)
    .where('missed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Has the open clocks of some agents counted anew. A worker that does so already begins
 * again.
 */
export async function recountClocks(
  db: Db,
  agentIds: readonly number[],
  reason: RecountRow['reason'],
  due_at: string,
): Promise<void> {
  if (agentIds.length === 0) return
  const withClocks = await db
    .selectFrom('target_clocks')
    .select('agent_id')
    .distinct()
    .where('agent_id', 'in', agentIds)
    .where('ended_at', 'is', null)
    .execute()
  for (const { agent_id } of withClocks)
    await db
      .insertInto('target_recounts')
      .values({ agent_id, reason, due_at, ...ANEW })
      .onConflict((conflict) =>
        conflict
          .column('agent_id')
          .doUpdateSet({ reason, due_at, after_id: 0, ...ANEW, lease: sql`target_recounts.lease + 1` }),
      )
      .execute()
  if (withClocks.length > 0) wake(db, RECOUNTS)
}

/** Notes how far a recount has come, or that it is done. */
export async function writeRecount(
  db: Db,
  id: number,
  values: Partial<Pick<RecountRow, 'after_id' | 'due_at'>>,
): Promise<void> {
  await db.updateTable('target_recounts').set(values).where('id', '=', id).execute()
}
