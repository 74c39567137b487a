import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Lets bulk acts say why they skipped conversations. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('bulk_acts')
    .addColumn('skipped', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
}
