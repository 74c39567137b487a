import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Keeps the moments at which the log of changes began anew, to recognize cursors from before a restore. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('log_epochs')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('transaction_id', engine.identityType, (column) => column.notNull())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('history', 'text', (column) => column.notNull())
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
}
