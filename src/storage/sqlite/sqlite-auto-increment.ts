import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables.ts'

const KEY = '"id" integer primary key'

/**
 * Makes existing tables number their rows with AUTOINCREMENT. The word changes nothing about how rows are stored, so it
 * can be written straight into the table's definition (https://www.sqlite.org/lang_altertable.html, section 7;
 * https://www.sqlite.org/autoinc.html). Rebuilding the tables would mean copying every row and every reference. The
 * connection must not be in defensive mode.
 * @param given for each table, a query of ids, the highest of which has been used
 */
export async function autoIncrement(
  db: Kysely<Tables>,
  given: Partial<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  // The first table with AUTOINCREMENT makes SQLite create `sqlite_sequence`, which stays when that table is dropped.
  await sql`create table first_of_its_kind (id integer primary key autoincrement)`.execute(db)
  await sql`drop table first_of_its_kind`.execute(db)
  await sql`pragma writable_schema = on`.execute(db)
  try {
    for (const [table, ids] of Object.entries(given)) {
      const { numAffectedRows } = await sql`
        update sqlite_schema set sql = replace(sql, ${KEY}, ${`${KEY} autoincrement`})
        where type = 'table' and name = ${table} and instr(sql, ${KEY}) > 0`.execute(db)
      if (numAffectedRows !== 1n)
        throw new Error(`the table ${table} has no integer primary key that can be numbered`)
      await sql`
        insert into sqlite_sequence (name, seq) select ${table}, coalesce(max(id), 0) from (${ids})`.execute(
        db,
      )
    }
  } finally {
    // Makes SQLite read the changed schema.
    await sql`pragma writable_schema = reset`.execute(db)
  }
}
