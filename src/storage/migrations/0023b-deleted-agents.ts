import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Agents can be deleted: they stay until their data is erased. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema.alterTable('agents').addColumn('deleted_at', 'text').execute()
  await db.schema
    .alterTable('agents')
    .addColumn('rows_erased', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
