import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Links to join that are to be mailed. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('operator_mails')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('link_hash', 'text', (column) =>
      column.notNull().unique().references('operator_links.hash').onDelete('cascade'),
    )
    .addColumn('operator_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema.createIndex('operator_mails_due').on('operator_mails').columns(['due_at', 'id']).execute()
}
