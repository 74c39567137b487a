import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** The way to find the rows of an agent in a table. */
export interface AgentRows {
  table: keyof Tables
  /**
   * The column by which the table is walked: the first of an index, or the second, after `agent_id`, where `isNested`.
   */
  key: string
  /** True if the index has `agent_id` before the key. */
  isNested?: true
  /** The column that refers to a table with `agent_id`, and the column referred to, for a table without `agent_id`. */
  through?: { column: string; table: keyof Tables; refersTo: string }
}

/** The number of rows that one transaction looks at. */
const WINDOW = 1000

/**
 * Deletes the rows of an agent in a table. Walks the table by its key in short transactions and skips other agents'
 * rows.
 * @param erased called after each part that had some
 * @param signal asks to end before the next part
 * @returns the number of deleted rows
 */
export async function eraseRows(
  db: Kysely<Tables>,
  { table, key, isNested, through }: AgentRows,
  agentId: number,
  erased: (count: number) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const place = sql.ref(key)
  const isOfAgent = through
    ? sql`${sql.ref(through.column)} in
        (select ${sql.ref(through.refersTo)} from ${sql.table(through.table)} where agent_id = ${agentId})`
    : sql`agent_id = ${agentId}`
  const walked = isNested ? isOfAgent : sql`1 = 1`
  let total = 0
  let after: unknown = null
  while (!signal.aborted) {
    const begin = after === null ? walked : sql`${walked} and ${place} > ${after}`
    const { rows } = await sql<{ last: unknown }>`
      select ${place} as last from ${sql.table(table)} where ${begin}
      order by ${place} limit 1 offset ${sql.lit(WINDOW - 1)}`.execute(db)
    const last = rows[0]?.last ?? null
    const part = last === null ? begin : sql`${begin} and ${place} <= ${last}`
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where ${part} and ${isOfAgent}`.execute(db)
    if (numAffectedRows > 0n) await erased(Number(numAffectedRows))
    total += Number(numAffectedRows)
    if (last === null) break
    after = last
  }
  return total
}
