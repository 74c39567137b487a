import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** The longest wait, during which others queue behind it. PostgreSQL looks for deadlocks after 1 s. */
const LOCK_LIMIT = '300ms'

/** Runs a transaction that fails with an error that `isLocked` rather than wait long for a table or a row. */
export async function yieldingTransaction<T>(
  db: Kysely<Tables>,
  { kind }: Engine,
  change: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (db) => {
    if (kind === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_LIMIT)}`.execute(db)
    return change(db)
  })
}
