import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The conversations whose users were asked for a rating in their channel. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('rating_requests')
    .addColumn('conversation_id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('message_id', engine.identityType, (column) => column.notNull())
    .addColumn('asked_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('rating_requests_agent')
    .on('rating_requests')
    .columns(['agent_id', 'conversation_id'])
    .execute()
  await db.schema
    .createIndex('rating_requests_message')
    .on('rating_requests')
    .column('message_id')
    .unique()
    .execute()
}
