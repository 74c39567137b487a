import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** A person with several ids on a platform has one chat, and messages are found by the platform's id. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .createTable('thread_aliases')
    .addColumn('channel_id', 'integer', (column) => column.notNull())
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('thread', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('thread_aliases_key', ['channel_id', 'alias'])
    .execute()
  await db.schema.alterTable('mailboxes').addColumn('address', 'text').execute()
  await db.schema.alterTable('mailboxes').addColumn('unsupported_at', 'text').execute()
  await db.schema.alterTable('mailbox_items').addColumn('platform_message_id', 'text').execute()
  await db.schema
    .createIndex('mailbox_items_platform_message')
    .on('mailbox_items')
    .columns(['channel_id', 'platform_message_id'])
    .where(sql.ref('platform_message_id'), 'is not', null)
    .execute()
}
