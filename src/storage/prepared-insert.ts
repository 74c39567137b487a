import type { InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import { type Prepared, prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

type Insert<Table extends keyof Tables> = InsertQueryBuilder<Tables, Table, InsertResult>

/** A statement for each number of rows up to this; more rows take several. */
const ROWS_AT_ONCE = 4

/**
 * Prepares the insertion of rows of a hot path: those of one call go in together, as one statement.
 * @param finish adds to the statement, as what happens on a conflict
 */
export function preparedInsert<Row extends object>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
  finish: (insert: Insert<keyof Tables>) => Insert<keyof Tables> = (insert) => insert,
): (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const statements = Array.from({ length: ROWS_AT_ONCE }, (_, at) =>
    prepared<Record<string, never>, unknown>((db, param) => {
      const rows = Array.from({ length: at + 1 }, (_, row) =>
        Object.fromEntries(columns.map((column) => [column, param(`${column}${row}`)])),
      )
      return finish(db.insertInto(table).values(rows as never))
    }),
  )
  return async (db, rows) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE)
      const values: Record<string, unknown> = {}
      for (const [row, given] of some.entries())
        for (const column of columns) values[`${column}${row}`] = given[column]
      const insert = statements[some.length - 1] as Prepared<Record<string, unknown>, unknown>
      await insert(db, values)
    }
  }
}
