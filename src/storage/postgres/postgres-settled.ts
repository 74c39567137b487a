import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

const WAITS_MS = 1000
const LOOK_EVERY_MS = 10

/**
 * Returns the id up to which all rows of a table are committed or never will be. Ids are given before commits, so a row
 * may appear below one that was already read.
 * A transaction that inserts holds a lock of the table, which excludes no other one, from before it takes an id until
 * it ends. Once all that held it after the newest id was read have ended, no id up to that one is open. Transactions
 * are short, so this waits for them, up to a second. Writers do no extra work for it.
 */
export function settledIds(db: Kysely<Tables>): (table: keyof Tables) => Promise<number> {
  /** The ids found so far, which stay valid. */
  const known = new Map<keyof Tables, number>()
  return async (table) => {
    const newest = await newestId(db, table)
    const until = performance.now() + WAITS_MS
    let open = await writersOf(db, table)
    while (open.size > 0 && performance.now() < until) {
      await wait(LOOK_EVERY_MS)
      open = open.intersection(await writersOf(db, table))
    }
    const settled = Math.max(known.get(table) ?? 0, open.size > 0 ? 0 : newest)
    known.set(table, settled)
    return settled
  }
}

async function newestId(db: Kysely<Tables>, table: keyof Tables): Promise<number> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`
  const { rows } = await sql<{ id: number | null }>`select pg_sequence_last_value(${sequence}) as id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}

/** Reads the transactions that have written to a table, or are about to. */
async function writersOf(db: Kysely<Tables>, table: keyof Tables): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select virtualtransaction as id from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and relation = ${table}::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
