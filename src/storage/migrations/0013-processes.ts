import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Each serving process has a row, so that the work it holds is released soon after it dies. */
export const steps: readonly Step[] = [
  createTables,
  addColumns('mailboxes', { holder: 'text' }),
  addColumns('automation_jobs', { holder: 'text' }),
  addColumns('completions', { holder: 'text', taken_up_at: 'text' }),
]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beats', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('gone', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('write_probes')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('filler', 'text', (column) => column.notNull())
    .execute()
}
