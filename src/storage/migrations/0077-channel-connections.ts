import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Channels whose platform is told by a call where its events go, or is asked for them. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('channel_connections')
    .addColumn('id', engine.identityType, (column) =>
      column.primaryKey().references('channels.id').onDelete('cascade'),
    )
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('way', 'text')
    .addColumn('webhook_url', 'text')
    .addColumn('failure', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema.createIndex('channel_connections_due').on('channel_connections').column('due_at').execute()
  await db.schema
    .createIndex('channel_connections_agent')
    .on('channel_connections')
    .columns(['agent_id', 'id'])
    .execute()
}
