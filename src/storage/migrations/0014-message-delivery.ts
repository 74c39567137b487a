import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Messages record their kind and their delivery on the channel, and items can be found by message. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  for (const column of ['kind', 'delivery', 'delivery_reason'])
    await db.schema.alterTable('messages').addColumn(column, 'text').execute()
  await db.schema.alterTable('mailbox_items').addColumn('reply_token', 'text').execute()
  await db.schema
    .createIndex('mailbox_items_message')
    .on('mailbox_items')
    .columns(['message_id'])
    .where(sql.ref('message_id'), 'is not', null)
    .execute()
}
