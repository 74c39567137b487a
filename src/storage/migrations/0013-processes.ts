import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Each serving process has a row, so that what it holds is released soon after it dies. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beats', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('gone', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .execute()
  for (const table of ['mailboxes', 'automation_jobs', 'completions'] as const)
    await db.schema.alterTable(table).addColumn('holder', 'text').execute()
  await db.schema.alterTable('completions').addColumn('taken_up_at', 'text').execute()
  await db.schema
    .createTable('write_probes')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('filler', 'text', (column) => column.notNull())
    .execute()
}
