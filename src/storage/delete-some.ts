import { type Expression, type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Deletes the rows of a table that a query finds; returns the number of them.
 * @param key the columns by which the rows are known
 * @param found selects these columns of the rows, with a limit
 */
export async function deleteSome<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  found: Expression<unknown>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const query = sql`delete from ${sql.table(table)} where (${columns}) in ${found}`
  const { numAffectedRows } = await query.execute(db)
  return Number(numAffectedRows)
}
