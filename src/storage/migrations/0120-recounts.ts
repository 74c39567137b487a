import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The counting anew of figures: how far it has come, and what it has counted so far. */
export async function up(db: Kysely<Tables>, { identityType }: Engine): Promise<void> {
  await db.schema
    .createTable('recounts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('place', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('recounted_counts')
    .addColumn('agent_id', identityType, (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('quarter', 'integer', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('recounted_counts_key', ['agent_id', 'day', 'name', 'quarter'])
    .execute()
}
