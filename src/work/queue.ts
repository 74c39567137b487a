import { type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Clock, LATEST, timestamp } from '../lib/clock.ts'
import { prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { FairTurns, Owner, Shares } from './fair-turns.ts'
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

/** The tenants whose pieces share the places of a process. */
export interface Owners {
  /** The column with the tenant's id. */
  tenant: RawBuilder<number>
  /** A query of `tenant` and `team`: the team of each tenant. */
  teams: RawBuilder<Owner>
}

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
  claimSuspect(db: Kysely<Tables>, claim: Claim): Promise<(Row & Owner)[]>
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
  countFailure(db: Kysely<Tables>, row: Pick<QueuedRow, 'id' | 'lease'>): Promise<number>
  /** Makes a piece wait after a failure. */
  postpone(db: Kysely<Tables>, id: number, how: Postponed): Promise<void>
  /** Counts the pieces by their state. @param agentId null for all agents */
  count(db: Kysely<Tables>, nowMs: number, agentId?: number | null): Promise<WorkCounts>
  /** Makes parked pieces of an agent due, each with all its attempts, and returns their number, at most `limit`. */
  retry(db: Kysely<Tables>, agentId: number, now: string, limit: number): Promise<number>
}

/** The number of rows examined for each that is claimed, to find those whose turn it is. */
const LOOKED_AT = 4
const LEAST_LOOKED_AT = 64
const CLEARED = sql`attempts = 0, deaths = 0, parked_at = null, failure = null`

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

  /** Claims the rows of a query that locks them. */
  async function claimRows(db: Kysely<Tables>, free: RawBuilder<unknown>, { holder, nowMs }: Claim) {
    const { rows } = await sql<Row & Owner>`
      update ${rowsOf} set lease = lease + 1, leased_until = ${timestamp(nowMs + LEASE_MS)}, holder = ${holder},
        deaths = deaths + case when ${wasLeft(holder)} then 1 else 0 end
      where id in (${free})
      returning *, ${tenant} as tenant, (select team from ${teams} as owners where owners.tenant = ${tenant}) as team`.execute(
      db,
    )
    return rows
  }

  // Kysely's builder adds the locking clause, which SQLite does without.
  const locked = (db: Kysely<Tables>, query: RawBuilder<unknown>, limit: number) =>
    db
      .selectFrom(sql<{ id: number }>`${rowsOf}`.as('queue'))
      .innerJoin(sql<{ candidate: number; turn: number; place: unknown }>`${query}`.as('turns'), (join) =>
        join.onRef('turns.candidate', '=', 'queue.id'),
      )
      .select('queue.id')
      .orderBy('turns.turn')
      .orderBy('turns.place')
      .orderBy('turns.candidate')
      .limit(limit)
      .forNoKeyUpdate('queue')
      .skipLocked()

  return {
    take: leasesOf(table).take,

    async hasFree(db, { holder, nowMs }) {
      return (await free(db, { now: timestamp(nowMs), holder })).length > 0
    },

    async claim(db: Kysely<Tables>, claim: Claim & { turns?: FairTurns }): Promise<(Row & Owner)[]> {
      const { nowMs, limit, turns } = claim
      const now = timestamp(nowMs)
      const ofTenant = levelOf('tenant', turns?.tenants, limit)
      const ofTeam = levelOf('team', turns?.teams, limit)
      const waiting = sql`select id as candidate, ${tenant} as tenant, ${order} as place, 0 as turn from ${rowsOf}
        where ${isDue(now)} and ${isFree(now, claim.holder)} and deaths = 0 and not ${wasLeft(claim.holder)}
        ${ofTenant.full ? sql`and ${tenant} not in ${ofTenant.full}` : sql``}
        ${ofTeam.full ? sql`and ${tenant} not in (select tenant from ${teams} as owners where team in ${ofTeam.full})` : sql``}
        order by ${order}, id limit ${sql.lit(Math.max(LEAST_LOOKED_AT, LOOKED_AT * limit))}`
      const ofTeams = sql`(select candidate, ranked.tenant, team, place, turn
        from ${ofTenant.ranked(sql`(${waiting})`)} as ranked inner join ${teams} as owners on owners.tenant = ranked.tenant)`
      return claimRows(
        db,
        sql`${locked(db, ofTeam.ranked(ofTeams), limit).where(isFree(now, claim.holder)).where(sql<boolean>`deaths = 0`)}`,
        claim,
      )
    },

    async claimSuspect(db: Kysely<Tables>, claim: Claim) {
      const now = timestamp(claim.nowMs)
      const suspects = sql`(select id as candidate, deaths as turn, ${order} as place
        from ${rowsOf} where ${isDue(now)} and ${isFree(now, claim.holder)} and (deaths > 0 or ${wasLeft(claim.holder)}))`
      return claimRows(db, sql`${locked(db, suspects, 1).where(isFree(now, claim.holder))}`, claim)
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

    async countFailure(db: Kysely<Tables>, { id, lease }: Pick<QueuedRow, 'id' | 'lease'>): Promise<number> {
      const { rows } = await sql<{ attempts: number }>`
        update ${rowsOf} set leased_until = null, attempts = attempts + 1
        where id = ${id} and lease = ${lease} returning attempts`.execute(db)
      if (!rows[0]) throw new LeaseLost()
      return rows[0].attempts
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
      { dueAt, failure, parkedAt = null, deaths }: Postponed,
    ): Promise<void> {
      await sql`update ${rowsOf} set due_at = ${dueAt ?? LATEST}, failure = ${failure}, parked_at = ${parkedAt}
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

/** Writes the shares of a level as SQL. @param limit the room of each when nothing is known of shares */
function levelOf(level: keyof Owner, shares: Shares | undefined, limit: number) {
  const handicaps = shares?.handicaps() ?? new Map<number, number>()
  const roomOf = (id: number | null) => shares?.roomOf(id) ?? limit
  const column = sql.ref(level)
  const cases = (known: Iterable<[id: number, value: number]>, otherwise: number) => {
    const whens = [...known].map(([id, value]) => sql`when ${sql.lit(id)} then ${sql.lit(value)}`)
    return whens.length === 0
      ? sql.lit(otherwise)
      : sql`case ${column} ${sql.join(whens, sql` `)} else ${sql.lit(otherwise)} end`
  }
  const rooms = [...handicaps.keys()].map((id): [number, number] => [id, roomOf(id)])
  const full = rooms.filter(([, room]) => room <= 0)
  return {
    /** The owners that may begin nothing; null when there are none. */
    full: full.length > 0 ? sql`(${sql.join(full.map(([id]) => sql.lit(id)))})` : null,
    /** Selects the rows for which their owner has room, each with its turn. */
    ranked: (rows: RawBuilder<unknown>) => sql`(
      select * from (
        select candidate, tenant, place, nth + ${cases(handicaps, 0)} as turn, ${cases(rooms, roomOf(null))} - nth as room
        from (select *,
            row_number() over (partition by ${column} order by turn, place, candidate) as nth
          from ${rows} as waiting) as counted) as ranked
      where room >= 0)`,
  }
}
