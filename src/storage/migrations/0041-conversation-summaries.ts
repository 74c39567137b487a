import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Summaries of long conversations for the models that read them. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('conversation_summaries')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
    .addColumn('content', 'text')
    .addColumn('covered_id', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema
    .createIndex('conversation_summaries_due')
    .on('conversation_summaries')
    .columns(['due_at'])
    .where(sql<boolean>`due_at is not null`)
    .execute()
  await db.schema
    .createIndex('conversation_summaries_agent')
    .on('conversation_summaries')
    .columns(['agent_id', 'id'])
    .execute()
}
