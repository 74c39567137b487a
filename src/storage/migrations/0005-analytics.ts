import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** An agent's counts by day. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .createTable('day_counters')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('day_counters_key', ['agent_id', 'day', 'name', 'shard'])
    .execute()
}
