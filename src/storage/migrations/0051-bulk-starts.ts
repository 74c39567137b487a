import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Lets bulk acts begin later than they are requested. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('bulk_acts').addColumn('starts_at', 'text').execute()
}
