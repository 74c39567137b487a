import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Reads something for each of some ids in one query.
 * @param columns the columns of one id, in SQL
 * @returns the columns by their ids
 */
export async function selectEach<Columns extends object>(
  db: Kysely<Tables>,
  ids: readonly number[],
  columns: (id: RawBuilder<number>) => RawBuilder<unknown>,
): Promise<Map<number, Columns>> {
  if (ids.length === 0) return new Map()
  const each = ids.map((id) => sql`select ${sql.lit(id)} as of_id, ${columns(sql.lit(id))}`)
  const { rows } = await sql<{ of_id: number }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ of_id, ...columns }) => [of_id, columns as Columns]))
}
