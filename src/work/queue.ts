import { type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Clock, LATEST, timestamp } from '../lib/clock.ts'
import { prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { FairTurns, Owner } from './fair-turns.ts'
import { inTurns, type Owners } from './in-turns.ts'
import {
  type Claim,
  isFree,
  LEASE_MS,
  type Lease,
  type LeasedTable,
  LeaseLost,
  leasesOf,
  wasLeft,
} from './lease.ts'
import { dueAgain } from './work-columns.ts'

/** The columns of a row of work that the engine reads. */
export interface QueuedRow {
  id: number
  lease: number
  /** The number of its failures since it last made progress. */
  attempts: number
  /** The part of `attempts` that its policy was patient with: it does not lead to parking. */
  waits: number
  /** The number of processes that have ended while working on it since it last made progress. */
  deaths: number
  /** The time at which it was parked, because it failed too often; null when it is not. */
  parked_at: string | null
}

type QueuedTable = {
  [Table in LeasedTable]: Selectable<Tables[Table]> extends QueuedRow & {
    due_at: string | null
    failure: string | null
  }
    ? Table
    : never
}[LeasedTable]

interface QueueOptions<Table extends QueuedTable> extends Owners {
  /** True for the rows that are work, written as in the condition of their index. */
  open?: RawBuilder<boolean>
  /** The time from which a row may be worked; `due_at` when absent. */
  due?: RawBuilder<string | null>
  /** The order in which the rows of a tenant are worked; by `due` when absent. */
  order?: RawBuilder<unknown>
  /** Columns that make a parked row work again, beside those of every queue. */
  reopened?: {
    [Column in keyof Updateable<Tables[Table]>]?: Updateable<Tables[Table]>[Column] | RawBuilder<unknown>
  }
}

/** The next try of a piece after a failure. */
interface Postponed {
  /** The time of the next try; null when it is tried only on request. */
  dueAt: string | null
  failure: string
  /** True when the failure is not the piece's own. */
  isWait?: boolean
  /** Set when the piece is no longer tried, or only after a long while. */
  parkedAt?: string | null
  deaths?: number
}

/** Counts of the pieces that are due, are being worked, are tried again after a failure, and are parked. */
export interface WorkCounts extends Record<'waiting' | 'leased' | 'failed' | 'parked', number> {
  /** The time since which the piece is due that has been due longest; null when none waits. */
  oldest: string | null
}

/** The work that waits in the rows of a table. */
export interface Queue<Row extends QueuedRow> {
  /** Tells whether a piece may be claimed, suspects included. Mostly none may, and a claim costs many times as much. */
  hasFree(db: Kysely<Tables>, claim: Pick<Claim, 'holder' | 'nowMs'>): Promise<boolean>
  /**
   * Claims pieces that may be worked. The team with the fewest under way comes first; of equal teams, the one whose last
   * turn was the longest ago. Within a team, tenants take turns by the same rule. Leaves out pieces that were under way
   * when a process ended.
   */
  claim(db: Kysely<Tables>, claim: Claim & { turns?: FairTurns }): Promise<(Row & Owner)[]>
  /** Claims one piece that was under way when a process ended: the one with the fewest such deaths. */
  claimSuspect(db: Kysely<Tables>, claim: Omit<Claim, 'limit'>): Promise<(Row & Owner)[]>
  /** Keeps renewing the lease of a claimed row until the result is disposed of. */
  take(db: Kysely<Tables>, row: Pick<QueuedRow, 'id' | 'lease'>, clock: Clock, stopped: AbortSignal): Lease
  /** Reads the time at which the next piece becomes due; null when there is none. */
  nextDue(db: Kysely<Tables>, nowMs: number): Promise<string | null>
  /**
   * Clears the failures of a piece that has made progress, so that only those in a row count. The transaction holds its
   * lease.
   * @param row as it was claimed: one without failures is not written
   */
  progress(
    db: Kysely<Tables>,
    row: Pick<QueuedRow, 'id' | 'attempts' | 'deaths' | 'parked_at'>,
  ): Promise<void>
  /**
   * Frees a piece that is done, and clears its failures.
   * @throws LeaseLost
   */
  end(db: Kysely<Tables>, row: Pick<QueuedRow, 'id' | 'lease'>): Promise<void>
  /** True if `end` has freed a claimed row. */
  isEnded(row: Pick<QueuedRow, 'id' | 'lease'>): boolean
  /**
   * Counts a failure of a piece, and frees it.
   * @returns its failures so far
   * @throws LeaseLost
   */
  countFailure(
    db: Kysely<Tables>,
    row: Pick<QueuedRow, 'id' | 'lease'>,
  ): Promise<Pick<QueuedRow, 'attempts' | 'waits'>>
  /** Makes a piece wait after a failure. */
  postpone(db: Kysely<Tables>, id: number, how: Postponed): Promise<void>
  /** Counts the pieces by their state. @param agentId null for all agents */
  count(db: Kysely<Tables>, nowMs: number, agentId?: number | null): Promise<WorkCounts>
  /** Makes parked pieces of an agent due, each with all its attempts, and returns their number, at most `limit`. */
  retry(db: Kysely<Tables>, agentId: number, now: string, limit: number): Promise<number>
}

const CLEARED = sql`attempts = 0, waits = 0, deaths = 0, parked_at = null, failure = null`

/** Creates the queue of the work that waits in the rows of a table. */
export function queueOf<Table extends QueuedTable>(
  table: Table,
  options: QueueOptions<Table>,
): Queue<Selectable<Tables[Table]> & QueuedRow> {
  type Row = Selectable<Tables[Table]> & QueuedRow
  const { tenant, teams, open = sql<boolean>`due_at is not null`, due = sql`due_at`, order = due } = options
  const rowsOf = sql.table(table)
  const ended = new WeakSet<object>()
  // Parked rows keep a time in `due_at`, so that the index on `due_at` finds them.
  const isWork = options.open ? sql<boolean>`(${open} or parked_at is not null)` : open
  const isDue = (now: string) => sql<boolean>`(${open} and ${due} <= ${now})`

  const free = prepared<{ now: string; holder: string }, object>((db, param) => ({
    compile: () =>
      sql<object>`select 1 from ${rowsOf} where ${isDue(param('now'))} and ${isFree(param('now'), param('holder'))}
        limit 1`.compile(db),
  }))
  const nextAfter = prepared<{ now: string }, { due_at: string | null }>((db, param) => ({
    compile: () =>
      sql<{ due_at: string | null }>`select ${due} as due_at from ${rowsOf}
        where ${open} and ${due} > ${param('now')} order by ${due} limit 1`.compile(db),
  }))
  const done = prepared<{ id: number; lease: number }, object>((db, param) => ({
    compile: () =>
      sql<object>`update ${rowsOf}
        set leased_until = null, ${CLEARED}
        where id = ${param('id')} and lease = ${param('lease')} returning id`.compile(db),
  }))

  /**
   * Claims the first candidates, which are rows of `candidate`, `rank` and `place`.
   * @param still true for those that nobody has changed meanwhile
   */
  async function claimFirst(
    db: Kysely<Tables>,
    candidates: RawBuilder<unknown>,
    still: RawBuilder<boolean>,
    { holder, nowMs, limit }: Claim,
  ) {
    // Kysely's builder adds the locking clause, which SQLite does without.
    const locked = db
      .selectFrom(sql<{ id: number }>`${rowsOf}`.as('queue'))
      .innerJoin(
        sql<{ candidate: number; rank: number; place: unknown }>`${candidates}`.as('candidates'),
        (join) => join.onRef('candidates.candidate', '=', 'queue.id'),
      )
      .select('queue.id')
      .where(still)
      .orderBy('candidates.rank')
      .orderBy('candidates.place')
      .orderBy('candidates.candidate')
      .limit(limit)
      .forNoKeyUpdate('queue')
      .skipLocked()
    const { rows } = await sql<Row & Owner>`
      update ${rowsOf} set lease = lease + 1, leased_until = ${timestamp(nowMs + LEASE_MS)}, holder = ${holder},
        deaths = deaths + case when ${wasLeft(holder)} then 1 else 0 end
      where id in (${locked})
      returning *, ${tenant} as tenant, (select team from ${teams} as owners where owners.tenant = ${tenant}) as team`.execute(
      db,
    )
    return rows
  }

  return {
    take: leasesOf(table).take,

    async hasFree(db, { holder, nowMs }) {
      return (await free(db, { now: timestamp(nowMs), holder })).length > 0
    },

    async claim(db: Kysely<Tables>, claim: Claim & { turns?: FairTurns }): Promise<(Row & Owner)[]> {
      const { holder, nowMs, limit, turns } = claim
      const now = timestamp(nowMs)
      const isSound = sql<boolean>`${isFree(now, holder)} and deaths = 0`
      const where = sql<boolean>`${isDue(now)} and ${isSound} and not ${wasLeft(holder)}`
      const candidates = inTurns({ table: rowsOf, where, order, tenant, teams }, turns, limit)
      return claimFirst(db, candidates, isSound, claim)
    },

    async claimSuspect(db: Kysely<Tables>, claim: Omit<Claim, 'limit'>) {
      const now = timestamp(claim.nowMs)
      const isStillFree = isFree(now, claim.holder)
      const suspects = sql`(select id as candidate, deaths as rank, ${order} as place
        from ${rowsOf} where ${isDue(now)} and ${isStillFree} and (deaths > 0 or ${wasLeft(claim.holder)}))`
      return claimFirst(db, suspects, isStillFree, { ...claim, limit: 1 })
    },

    async nextDue(db: Kysely<Tables>, nowMs: number): Promise<string | null> {
      const [next] = await nextAfter(db, { now: timestamp(nowMs) })
      return next?.due_at ?? null
    },

    async progress(db: Kysely<Tables>, { id, attempts, deaths, parked_at }): Promise<void> {
      if (attempts === 0 && deaths === 0 && parked_at === null) return
      await sql`update ${rowsOf} set ${CLEARED} where id = ${id}`.execute(db)
    },

    async end(db: Kysely<Tables>, row: Pick<QueuedRow, 'id' | 'lease'>): Promise<void> {
      const [held] = await done(db, { id: row.id, lease: row.lease })
      if (!held) throw new LeaseLost()
      ended.add(row)
    },

    isEnded: (row) => ended.has(row),

    async countFailure(db: Kysely<Tables>, { id, lease }: Pick<QueuedRow, 'id' | 'lease'>) {
      const { rows } = await sql<Pick<QueuedRow, 'attempts' | 'waits'>>`
        update ${rowsOf} set leased_until = null, attempts = attempts + 1
        where id = ${id} and lease = ${lease} returning attempts, waits`.execute(db)
      if (!rows[0]) throw new LeaseLost()
      return rows[0]
    },

    async count(db: Kysely<Tables>, nowMs: number, agentId: number | null = null): Promise<WorkCounts> {
      const of = (which: RawBuilder<boolean>) =>
        sql`cast(coalesce(sum(case when ${which} then 1 else 0 end), 0) as int)`
      const { rows } = await sql<WorkCounts>`select
        ${of(sql`leased_until is null and ${isDue(timestamp(nowMs))}`)} as waiting,
        ${of(sql`leased_until is not null`)} as leased,
        ${of(sql`parked_at is null and attempts > 0`)} as failed,
        ${of(sql`parked_at is not null`)} as parked,
        min(case when leased_until is null and ${isDue(timestamp(nowMs))} then ${due} end) as oldest
        from ${rowsOf} where ${isWork}
        ${agentId === null ? sql`` : sql`and agent_id = ${agentId}`}`.execute(db)
      return rows[0] ?? { waiting: 0, leased: 0, failed: 0, parked: 0, oldest: null }
    },

    retry: retryIn(table, isWork, options.reopened),

    async postpone(
      db: Kysely<Tables>,
      id: number,
      { dueAt, failure, isWait = false, parkedAt = null, deaths }: Postponed,
    ): Promise<void> {
      await sql`update ${rowsOf} set due_at = ${dueAt ?? LATEST}, failure = ${failure}, parked_at = ${parkedAt}
        ${isWait ? sql`, waits = waits + 1` : sql``}
        ${deaths === undefined ? sql`` : sql`, deaths = ${deaths}`} where id = ${id}`.execute(db)
    },
  }
}

/** Makes parked rows of a table due. @param isWork true for its rows of work @param reopened see QueueOptions */
function retryIn(table: QueuedTable, isWork: RawBuilder<boolean>, reopened: object = {}) {
  return async (db: Kysely<Tables>, agentId: number, now: string, limit: number): Promise<number> => {
    const parked = sql<number>`(select id from ${sql.table(table)} where ${isWork} and agent_id = ${agentId}
      and parked_at <= ${now} and leased_until is null order by id limit ${sql.lit(limit)})`
    const { numUpdatedRows } = await db
      // The table is known only at run time; each queue has these columns.
      .updateTable(table as 'snoozes')
      .set({ ...dueAgain(now), ...reopened })
      .where('id', 'in', parked)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  }
}
