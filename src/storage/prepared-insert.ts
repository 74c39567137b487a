import type { InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import { type Prepared, prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

type Insert = InsertQueryBuilder<Tables, keyof Tables, InsertResult>

/** The numbers of rows for which a statement is prepared. Other numbers take several statements, the largest first. */
const SIZES = [64, 32, 16, 8, 6, 5, 4, 3, 2, 1]

/**
 * Prepares the insertion of rows on a hot path: building the statement for each call costs more than running it.
 * @param columns the columns of a row that are inserted
 * @param finish completes the statement, for example with an action on a conflict
 * @param toValues turns a row into the inserted values, when they are not the row itself
 * @returns a function that inserts rows in their order
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
        return finish(db.insertInto(table).values(rows))
      }),
    ]),
  )
  return async (db, rows) => {
    for (let from = 0; from < rows.length; ) {
      const size = SIZES.find((size) => size <= rows.length - from) as number
      const values: unknown[] = []
      for (const row of rows.slice(from, from + size)) for (const column of columns) values.push(row[column])
      await statements.get(size)?.(db, values)
      from += size
    }
  }
}
