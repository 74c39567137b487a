import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Adds a count of redactions to completions, which shows whether their texts were redacted since they were last read.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('completions')
    .addColumn('redactions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
