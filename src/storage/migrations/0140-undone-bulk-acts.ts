import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Lets bulk acts that ran a macro be undone. Acts of older versions can be, but do not say whether that does anything. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('bulk_acts')
    .addColumn('undoable', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('bulk_acts').addColumn('undone_by', engine.identityType).execute()
}
