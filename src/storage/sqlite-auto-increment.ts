import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

const KEY = '"id" integer primary key'

/**
 * Makes tables that are there number their rows with AUTOINCREMENT, which is only a word in their definition: it
 * changes nothing of how rows are stored, so that it may be written there
 * (https://www.sqlite.org/lang_altertable.html, section 7; https://www.sqlite.org/autoinc.html). To make them anew
 * would take every row and every reference along. The connection must not be defensive.
 * @param given by table, a query of ids of which the highest was given already
 */
export async function autoIncrement(
  db: Kysely<Tables>,
  given: Partial<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  // SQLite's own table of the last ids comes with the first table that needs it, and stays.
  await sql`create table first_of_its_kind (id integer primary key autoincrement)`.execute(db)
  await sql`drop table first_of_its_kind`.execute(db)
  await sql`pragma writable_schema = on`.execute(db)
  try {
    for (const [table, ids] of Object.entries(given)) {
      const { numAffectedRows } = await sql`
        update sqlite_schema set sql = replace(sql, ${KEY}, ${`${KEY} autoincrement`})
        where type = 'table' and name = ${table} and instr(sql, ${KEY}) > 0`.execute(db)
      if (numAffectedRows !== 1n) throw new Error(`the table ${table} has no such key`)
      await sql`
        insert into sqlite_sequence (name, seq) select ${table}, coalesce(max(id), 0) from (${ids})`.execute(
        db,
      )
    }
  } finally {
    // Reads the schema as it now is.
    await sql`pragma writable_schema = reset`.execute(db)
  }
}
