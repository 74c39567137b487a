import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/**
 * Counts are kept by quarters of an hour, so that any time zone's days can be summed up. Past days are folded into one
 * row for each name, which lists its quarters. The quarters of days before this migration are unknown.
 */
export const steps: readonly Step[] = [addColumns('day_counters', { quarters: 'text' }), createCounters]

async function createCounters(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const counters = db.schema
    .createTable('quarter_counters')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('quarter', 'integer', (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quarter_counters_key', ['agent_id', 'day', 'name', 'quarter', 'shard'])
  await (engine.kind === 'sqlite' ? counters.modifyEnd(sql`without rowid`) : counters).execute()
  await db.schema.createIndex('quarter_counters_day').on('quarter_counters').columns(['day']).execute()
}
