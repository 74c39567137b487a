import type { CompiledQuery, InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import { numbered, type Prepared, prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

type Insert = InsertQueryBuilder<Tables, keyof Tables, InsertResult>

/** Numbers of rows that have a statement of their own; others take several, the largest first. */
const SIZES = [64, 32, 16, 8, 6, 5, 4, 3, 2, 1]

/**
 * Prepares the insertion of rows of a hot path: building a statement for each number of rows anew costs more than
 * running it.
 * @param finish adds to the statement: what happens on a conflict, what it returns
 * @returns inserts rows, in their order, and returns what the statements return
 */
export function preparedInsert<Row extends object, Output = InsertResult>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
  finish: (insert: Insert) => { compile(): CompiledQuery<Output> } = (insert) =>
    insert as { compile(): CompiledQuery<never> },
): (db: Kysely<Tables>, rows: readonly Row[]) => Promise<Output[]> {
  const statements = new Map(
    SIZES.map((size): [number, Prepared<Record<string, unknown>, Output>] => [
      size,
      prepared((db, param) => {
        const rows = Array.from({ length: size }, (_, row) =>
          Object.fromEntries(columns.map((column) => [column, param(`${column}${row}`)])),
        )
        return finish(db.insertInto(table).values(rows as never))
      }),
    ]),
  )
  return async (db, rows) => {
    const returned: Output[] = []
    for (let from = 0; from < rows.length; ) {
      const size = SIZES.find((size) => size <= rows.length - from) as number
      const values = numbered(columns, rows.slice(from, from + size))
      returned.push(...((await statements.get(size)?.(db, values)) ?? []))
      from += size
    }
    return returned
  }
}
