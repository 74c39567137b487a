import {
  type ColumnType,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { prepared } from '../storage/prepared.ts'
import { GONE_PROCESSES, LIVING_PROCESSES } from '../storage/presence.ts'
import type { Tables } from '../storage/tables.ts'

/** The columns of a row that only one worker at a time may work. */
interface LeaseColumns {
  /** Counts the claims: only the worker with the latest one may write. */
  lease: ColumnType<number, number | undefined, number>
  leased_until: string | null
  /** The process that has the lease. */
  holder: ColumnType<string | null, string | null | undefined, string | null>
}

export type LeasedTable = {
  [Table in keyof Tables]: Tables[Table] extends LeaseColumns ? Table : never
}[keyof Tables]

/**
 * The time after which a row that is not renewed is free again: for its own process, and for the others if that one has
 * no presence. A process keeps its rows while the database is away.
 */
export const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3_000

/** Thrown when another worker has claimed the work, so that this one may store nothing more for it. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has claimed this work')
    this.name = 'LeaseLost'
  }
}

/** The right to work one row, until another worker claims it. */
export interface Lease extends Disposable {
  /** Fires when the lease is lost, or the process stops. */
  readonly signal: AbortSignal
  /** True once another worker has claimed the row. */
  readonly isLost: boolean
  /**
   * Renews the lease within a transaction. Nobody can claim the row until the transaction ends.
   * @throws LeaseLost
   */
  hold(db: Kysely<Tables>): Promise<void>
  /**
   * Runs a transaction that holds the lease.
   * @throws LeaseLost
   */
  transaction<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Frees the row within a transaction.
   * @throws LeaseLost
   */
  free(db: Kysely<Tables>): Promise<void>
}

/** A claim: the process, its time, and the most rows that it takes. */
export interface Claim {
  holder: string
  nowMs: number
  limit: number
}

/** Claims and holds rows of a table, so that across all processes one worker has each. */
export function leasesOf<Table extends LeasedTable>(table: Table) {
  type Row = Selectable<Tables[Table]>
  const write = prepared<{ id: number; lease: number; until: string | null }, object>((db, param) => ({
    compile: () =>
      sql<object>`update ${sql.table(table)} set leased_until = ${param('until')}
        where id = ${param('id')} and lease = ${param('lease')} returning id`.compile(db),
  }))

  return {
    /**
     * Claims rows that nobody holds.
     * @param due selects the ids of the rows that may be worked, in order
     */
    async claimOf(
      db: Kysely<Tables>,
      due: SelectQueryBuilder<Tables, Table, { id: number }>,
      { holder, nowMs, limit }: Claim,
    ): Promise<Row[]> {
      const free = due
        .where(isFree(timestamp(nowMs), holder))
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked()
      const { rows } = await sql<Row>`
        update ${sql.table(table)}
        set lease = lease + 1, leased_until = ${timestamp(nowMs + LEASE_MS)}, holder = ${holder}
        where id in ${free} returning *`.execute(db)
      return rows
    },

    /** Keeps renewing the lease of a claimed row until the result is disposed of. @param db the whole database */
    take(
      db: Kysely<Tables>,
      { id, lease }: { id: number; lease: number },
      clock: Clock,
      stopped: AbortSignal,
    ): Lease {
      const lost = new AbortController()

      async function writeUntil(db: Kysely<Tables>, until: string | null): Promise<void> {
        const [held] = await write(db, { id, lease, until })
        if (held) return
        const error = new LeaseLost()
        lost.abort(error)
        throw error
      }
      const hold = (db: Kysely<Tables>) => writeUntil(db, timestamp(clock() + LEASE_MS))

      // A failure here does not mean that the lease is lost. The next transaction finds out.
      const renewing = setInterval(() => void hold(db).catch(() => {}), RENEW_EVERY_MS)
      renewing.unref()
      return {
        signal: AbortSignal.any([lost.signal, stopped]),
        get isLost() {
          return lost.signal.aborted
        },
        hold,
        transaction: (work) =>
          db.transaction().execute(async (db) => {
            await hold(db)
            return work(db)
          }),
        free: (db) => writeUntil(db, null),
        [Symbol.dispose]: () => clearInterval(renewing),
      }
    },
  }
}

/** Takes a row of a table from the worker that has it, which can store nothing more for it. */
export function takenOver(table: LeasedTable) {
  return { lease: sql<number>`${sql.table(table)}.lease + 1`, leased_until: null }
}

/**
 * Selects rows that nobody has claimed, whose process is gone, or whose claim has run out. The claims of another process
 * that is alive do not run out: the database may have been away for both.
 * @param me the process that asks
 */
export function isFree(now: string, me: string): RawBuilder<boolean> {
  return sql<boolean>`(leased_until is null or holder in ${GONE_PROCESSES} or (leased_until < ${now}
    and (holder = ${me} or coalesce(holder, '') not in ${LIVING_PROCESSES})))`
}

/** Selects free rows that another process had under way when it ended or hung: a process that stops frees its rows. */
export function wasLeft(me: string): RawBuilder<boolean> {
  return sql<boolean>`(leased_until is not null and holder <> ${me})`
}
