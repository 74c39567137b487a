import type { Kysely } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import { CONCERNS } from '../events/concerns-topic.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import { lockedRowOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { queueOf } from '../work/queue.ts'
import { ANEW, begunAnew } from '../work/work-columns.ts'
import type { Count, ShownClock } from './clock.ts'
import type { ClockRow, RecountRow, TargetRow } from './tables.ts'

type Db = Kysely<Tables>

/** The topics of wake-ups for clocks that run, and for agents whose clocks are to be counted anew. */
export const CLOCKS = 'clocks of targets'
export const RECOUNTS = 'recounts of targets'

export const clockQueue = queueOf('target_clocks', byAgent)
export const recountQueue = queueOf('target_recounts', byAgent)

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
export const lockTarget = lockedRowOfAgent((db) => db.selectFrom('targets').selectAll())

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

/** Reads the open clocks of some conversations, and the last one of each, by the conversations. */
export async function clocksOf(
  db: Db,
  conversationIds: readonly string[],
): Promise<(ShownClock & Pick<ClockRow, 'conversation_id'>)[]> {
  if (conversationIds.length === 0) return []
  return db
    .selectFrom('target_clocks as clock')
    .select(['conversation_id', 'kind', 'ends_at', 'missed_at', 'ended_at'])
    .where('conversation_id', 'in', conversationIds)
    .where(({ or, eb }) =>
      or([
        eb('ended_at', 'is', null),
        eb('id', '=', (of) =>
          of
            .selectFrom('target_clocks as other')
            .select(({ fn }) => fn.max('other.id').as('id'))
            .whereRef('other.conversation_id', '=', 'clock.conversation_id'),
        ),
      ]),
    )
    .orderBy('conversation_id')
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

/** A clock that is to start. */
export type NewClock = Count &
  Pick<ClockRow, 'agent_id' | 'conversation_id' | 'target_id' | 'kind' | 'started_at' | 'due_at'>

const insert = preparedInsert<NewClock>('target_clocks', [
  'agent_id',
  'conversation_id',
  'target_id',
  'kind',
  'started_at',
  'spent_ms',
  'since',
  'ends_at',
  'due_at',
])

/** Starts clocks. */
export async function insertClocks(db: Db, clocks: readonly NewClock[]): Promise<void> {
  await insert(db, clocks)
  if (clocks.some(({ due_at }) => due_at !== null)) wake(db, CLOCKS)
}

type Ending = Pick<ClockRow, 'warned_at' | 'missed_at' | 'ended_at'>

const update = prepared((db, param: ParamOf<Count & Ending & Pick<ClockRow, 'id' | 'due_at'>>) =>
  db
    .updateTable('target_clocks')
    .set((row) => ({
      spent_ms: param('spent_ms'),
      since: param('since'),
      ends_at: param('ends_at'),
      warned_at: row.fn.coalesce(row.val(param('warned_at')), 'warned_at'),
      missed_at: row.fn.coalesce(row.val(param('missed_at')), 'missed_at'),
      ended_at: row.fn.coalesce(row.val(param('ended_at')), 'ended_at'),
      ...begunAnew('target_clocks', param('due_at')),
    }))
    .where('id', '=', param('id')),
)

/**
 * Writes what a clock has counted. A worker that holds the row for another time loses it.
 * @param ending absent: it goes on
 * @param look when it is next looked at, while it runs
 */
export async function writeClock(
  db: Db,
  id: number,
  { spent_ms, since, ends_at }: Count,
  { warned_at = null, missed_at = null, ended_at = null }: Partial<Ending> = {},
  look: string | null = null,
): Promise<void> {
  const isOver = missed_at !== null || ended_at !== null
  const due_at = isOver ? null : look
  await update(db, { id, spent_ms, since, ends_at, warned_at, missed_at, ended_at, due_at })
  if (due_at !== null) wake(db, CLOCKS)
  if (warned_at !== null) wake(db, CONCERNS, 'here')
}

/** Deletes a clock whose target no longer matters. */
export async function deleteClock(db: Db, id: number): Promise<void> {
  await db.deleteFrom('target_clocks').where('id', '=', id).execute()
}

/** Reads conversations of an agent with open clocks that are not missed, each once, by the first of these clocks. */
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
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('target_clocks as earlier')
            .select('earlier.id')
            .whereRef('earlier.conversation_id', '=', 'target_clocks.conversation_id')
            .whereRef('earlier.id', '<', 'target_clocks.id')
            .where('earlier.ended_at', 'is', null)
            .where('earlier.missed_at', 'is', null),
        ),
      ),
    )
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
    .orderBy('agent_id')
    .execute()
  for (const { agent_id } of withClocks)
    await db
      .insertInto('target_recounts')
      .values({ agent_id, reason, due_at, ...ANEW })
      .onConflict((conflict) =>
        conflict
          .column('agent_id')
          .doUpdateSet({ reason, after_id: 0, ...begunAnew('target_recounts', due_at) }),
      )
      .execute()
  if (withClocks.length > 0) wake(db, RECOUNTS)
}

/** Has the clocks of agents counted anew, in the transaction that changes hours of theirs. */
export function hoursChange(db: Db, agentIds: readonly number[], now: string): Promise<void> {
  return recountClocks(db, agentIds, 'hours', now)
}

/** Notes how far a recount has come, or that it is done. */
export async function writeRecount(
  db: Db,
  id: number,
  values: Partial<Pick<RecountRow, 'after_id' | 'due_at'>>,
): Promise<void> {
  await db.updateTable('target_recounts').set(values).where('id', '=', id).execute()
}

/** The times at which a conversation had met all of its targets, and first missed one; null: it has not. */
export interface TargetsKept {
  met_at: string | null
  missed_at: string | null
}

/** Reads how conversations have kept their targets; those that had none are absent. */
export async function targetsKept(
  db: Kysely<Tables>,
  conversationIds: readonly string[],
): Promise<Map<string, TargetsKept>> {
  const rows = await db
    .selectFrom('target_clocks')
    .select(({ fn }) => [
      'conversation_id',
      fn.min('missed_at').as('missed_at'),
      fn.max('ended_at').as('ended_at'),
      fn.countAll<number | string>().as('clocks'),
      fn.count<number | string>('ended_at').as('ended'),
    ])
    .where('conversation_id', 'in', conversationIds)
    .groupBy('conversation_id')
    .execute()
  return new Map(
    rows.map(({ conversation_id, missed_at, ended_at, clocks, ended }) => {
      const isMet = missed_at === null && Number(clocks) === Number(ended)
      return [conversation_id, { met_at: isMet ? ended_at : null, missed_at }]
    }),
  )
}
