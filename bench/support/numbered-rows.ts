import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../src/storage/engine.ts'

/** Expressions over a number `n` of rows that a statement makes, in the words of an engine. */
interface NumberedRows {
  /** A time, one second later for each row. */
  time: RawBuilder<unknown>
  /** The id of a conversation, in the order of the rows. */
  id: RawBuilder<unknown>
  /** Begins a statement that selects `from numbers` the rows from one number to another, both included. */
  numbers(from: number, last: number): RawBuilder<unknown>
}

/** Returns what makes many rows in one statement. */
export function numberedRows({ kind }: Pick<Engine, 'kind'>): NumberedRows {
  if (kind === 'sqlite')
    return {
      time: sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', 1577836800 + n, 'unixepoch')`,
      id: sql`printf('00000000-0000-7000-8000-%012d', n)`,
      numbers: (from, last) =>
        sql`with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${last})`,
    }
  return {
    time: sql`to_char(timestamp '2020-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
    id: sql`'00000000-0000-7000-8000-' || lpad(n::text, 12, '0')`,
    numbers: (from, last) =>
      sql`with numbers as (select n from generate_series(${from}::bigint, ${last}::bigint) as n)`,
  }
}
