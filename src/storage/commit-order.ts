import type { RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * How the rows of a table that only grows are read in an order in which none is ever overtaken: by the transactions that
 * wrote them. Numbers are not given in the order of the commits, so a reader keeps in mind which transactions it has
 * seen, and not only the highest number.
 */
export interface CommitOrder {
  /** The column that tells which transaction wrote a row. With SQLite each row stands for its own. */
  readonly column: 'id' | 'transaction_id'
  /** A part of a query: the transactions that this query sees, for `parseSeen`. */
  seen(table: keyof Tables): RawBuilder<string>
  /** A part of a query: the number of its own transaction, or of whatever is written next. */
  next(table: keyof Tables): RawBuilder<number>
}

/** A set of transactions: all that are numbered below `until`, except those in `without`, which rise. */
export interface Transactions {
  readonly until: number
  readonly without: readonly number[]
}

/** Reads the text form of PostgreSQL's `pg_snapshot`, `xmin:xmax:xip,…`. */
export function parseSeen(text: string): Transactions {
  const [, until = '', running = ''] = text.split(':')
  const without = running === '' ? [] : running.split(',').map(Number)
  return { until: Number(until), without: without.sort((a, b) => a - b) }
}

export function includesTransaction({ until, without }: Transactions, id: number): boolean {
  return id < until && !without.includes(id)
}

/** A set with one more transaction, which is one of `without` or `until`. */
export function includeTransaction({ until, without }: Transactions, id: number): Transactions {
  return { until: Math.max(until, id + 1), without: without.filter((other) => other !== id) }
}

/** What a reader has read that had read `before` and now reads what is in `seen` up to the transaction `last`. */
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
