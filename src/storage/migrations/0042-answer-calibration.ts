import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * The confidence that answers of each agent need, measured on its documents. Queues the measurement of agents that have
 * documents.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('knowledge_calibrations')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull().unique())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .addColumn('threshold', engine.kind === 'sqlite' ? 'real' : 'double precision')
    .addColumn('asked', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('measured_changes', 'integer', (column) => column.notNull().defaultTo(-1))
    .addColumn('measured_at', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema
    .createIndex('knowledge_calibrations_due')
    .on('knowledge_calibrations')
    .columns(['due_at'])
    .where(sql<boolean>`due_at is not null`)
    .execute()
  await sql`
    insert into knowledge_calibrations (agent_id, changes, due_at)
    select agent_id, 0, '1970-01-01T00:00:00.000Z' from knowledge_totals`.execute(db)
}
