import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Transactions that store answers count what model calls used, over several rows. What `model_usage` has
 * stays there, and replicas of older versions go on adding to it: whoever reads adds up both.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('usage_shards')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('calls', engine.identityType, (column) => column.notNull())
    .addColumn('estimated', engine.identityType, (column) => column.notNull())
    .addColumn('prompt_tokens', engine.identityType, (column) => column.notNull())
    .addColumn('completion_tokens', engine.identityType, (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_shards_key', ['agent_id', 'day', 'model', 'kind', 'shard'])
    .execute()
}
