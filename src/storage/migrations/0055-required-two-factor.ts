import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Lets a team require a second factor of its people. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('teams')
    .addColumn('require_two_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
