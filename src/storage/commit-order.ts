import type { RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * The order in which a table that only grows is read so that no row is skipped: by the transactions that wrote the
 * rows. Transactions do not commit in the order of their numbers, so a reader remembers which transactions it has seen,
 * and not only the highest number.
 */
export interface CommitOrder {
  /** The column that says which transaction wrote a row. On SQLite each row counts as its own transaction. */
  readonly column: 'id' | 'transaction_id'
  /** SQL for the transactions that this query sees, as text for `parseSeen`. */
  seen(table: keyof Tables): RawBuilder<string>
  /** SQL for the number of this query's own transaction, or of the next row to be written. */
  next(table: keyof Tables): RawBuilder<number>
}

/** A set of transactions: all numbers below `until` except those in `without`, which are in ascending order. */
export interface Transactions {
  readonly until: number
  readonly without: readonly number[]
}

/** Parses the text form of PostgreSQL's `pg_snapshot`, `xmin:xmax:xip,…`. */
export function parseSeen(text: string): Transactions {
  const [, until = '', running = ''] = text.split(':')
  const without = running === '' ? [] : running.split(',').map(Number)
  return { until: Number(until), without: without.sort((a, b) => a - b) }
}

export function includesTransaction({ until, without }: Transactions, id: number): boolean {
  return id < until && !without.includes(id)
}

/** Returns a set with one more transaction, which is one of `without` or `until`. */
export function includeTransaction({ until, without }: Transactions, id: number): Transactions {
  return { until: Math.max(until, id + 1), without: without.filter((other) => other !== id) }
}

/** Returns the transactions read by a reader that had read `before` and now reads those in `seen` up to `last`. */
export function advance(before: Transactions, seen: Transactions, last = seen.until - 1): Transactions {
  const until = Math.max(before.until, last + 1)
  const isRead = (id: number) => id <= last && includesTransaction(seen, id)
  return {
    until,
    without: [
      ...before.without.filter((id) => !isRead(id)),
      ...seen.without.filter((id) => id >= before.until && id < until),
    ],
  }
}
