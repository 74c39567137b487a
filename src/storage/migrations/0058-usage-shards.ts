import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Transactions that store answers count the usage of model calls, spread over several rows. The counts in `model_usage`
 * stay there, and replicas of older versions go on adding to it: readers add up both tables.
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
