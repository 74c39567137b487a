import type { InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import { type Prepared, prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

type Insert = InsertQueryBuilder<Tables, keyof Tables, InsertResult>

/** Numbers of rows that have a statement of their own; others take several, the largest first. */
const SIZES = [64, 32, 16, 8, 6, 5, 4, 3, 2, 1]

/**
 * Prepares the insertion of rows of a hot path: building a statement for each number of rows anew costs more than
 * running it.
 * @param columns those of a row that the statement is given
 * @param finish adds to the statement: what happens on a conflict
 * @param toValues makes of a row what is inserted, where that is not the row itself
 * @returns inserts rows, in their order
 */
export function preparedInsert<Row extends object>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
  finish: (insert: Insert) => Insert = (insert) => insert,
  toValues: (row: Row) => object = (row) => row,
): (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const statements = new Map(
    SIZES.map((size): [number, Prepared<unknown[], InsertResult>] => [
      size,
      prepared((db, param) => {
        const rows = Array.from({ length: size }, (_, row) => {
          const places = columns.map((column, at) => [column, param(row * columns.length + at)])
          return toValues(Object.fromEntries(places))
        })
        return finish(db.insertInto(table).values(rows as never))
      }),
    ]),
  )
  return async (db, rows) => {
    for (let from = 0; from < rows.length; ) {
      const size = SIZES.find((size) => size <= rows.length - from) as number
      const values = rows.slice(from, from + size).flatMap((row) => columns.map((column) => row[column]))
      await statements.get(size)?.(db, values)
      from += size
    }
  }
}
