import { type Kysely, type Selectable, sql } from 'kysely'
import { exportedOfDesk } from '../desk/exported-tables.ts'
import type { Tables } from '../storage/tables.ts'
import { exportedOfRecord } from '../transcripts/doors/exported-rows.ts'

type Db = Kysely<Tables>

const { completions, messages, ratings, conversation_summaries } = exportedOfRecord

/** The tables that are exported with conversations, in the order of an export, with their keys. */
const keys = { completions, messages, ...exportedOfDesk, ratings, conversation_summaries }

export type ExportedTable = keyof typeof keys

export const exportedTables = Object.keys(keys) as ExportedTable[]

export type RowOf<Table extends ExportedTable> = Selectable<Tables[Table]> & { conversation_id: string }

/** Reads at most `limit` rows of a table that belong to some conversations, in any order. */
export async function rowsOf<Table extends ExportedTable>(
  db: Db,
  table: Table,
  conversationIds: readonly string[],
  limit: number,
): Promise<RowOf<Table>[]> {
  const { rows } = await sql<RowOf<Table>>`
    select * from ${sql.table(table)} where conversation_id in (${sql.join(conversationIds)})
    limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Reads rows of a table that belong to a conversation and are above a key, in order. */
export async function rowsAbove<Table extends ExportedTable>(
  db: Db,
  table: Table,
  conversationId: string,
  above: number,
  limit: number,
): Promise<RowOf<Table>[]> {
  const key = sql.ref(keys[table])
  const { rows } = await sql<RowOf<Table>>`
    select * from ${sql.table(table)} where conversation_id = ${conversationId} and ${key} > ${above}
    order by ${key} limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Returns the key that orders a row within its conversation. */
export function keyOf(table: ExportedTable, row: object): number {
  return Number(Reflect.get(row, keys[table]))
}
