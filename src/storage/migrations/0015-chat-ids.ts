import { sql } from 'kysely'
import { addColumns, index, type Step } from '../migration.ts'

/** A person with several ids on a platform has one chat, and messages are found by the platform's id. */
export const steps: readonly Step[] = [
  async (db) => {
    await db.schema
      .createTable('thread_aliases')
      .addColumn('channel_id', 'integer', (column) => column.notNull())
      .addColumn('alias', 'text', (column) => column.notNull())
      .addColumn('thread', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('thread_aliases_key', ['channel_id', 'alias'])
      .execute()
  },
  addColumns('mailboxes', { address: 'text', unsupported_at: 'text' }),
  addColumns('mailbox_items', { platform_message_id: 'text' }),
  index('mailbox_items_platform_message', (create) =>
    create
      .on('mailbox_items')
      .columns(['channel_id', 'platform_message_id'])
      .where(sql.ref('platform_message_id'), 'is not', null),
  ),
]
