import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The addresses to which answers go that visitors of widgets have not seen. */
export const steps: readonly Step[] = [
  addColumns('widgets', { continue_by: 'id', continue_after: 'integer' }),
  addColumns('mailboxes', { unseen_ms: 'integer', user_id: 'text' }),
  index('mailboxes_continued', (create) =>
    create.on('mailboxes').columns(['agent_id', 'user_id']).where('user_id', 'is not', null),
  ),
  createContinuations,
]

async function createContinuations(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('continuations')
    .addColumn('mailbox_id', engine.identityType, (column) => column.primaryKey())
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('stopped_by', 'text')
    .addColumn('after_ms', 'integer', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('page_url', 'text')
    .addColumn('mails', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('left_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('continuations_conversation')
    .on('continuations')
    .column('conversation_id')
    .execute()
  await db.schema
    .createIndex('continuations_address')
    .on('continuations')
    .columns(['agent_id', 'address'])
    .execute()
  await db.schema
    .createIndex('continuations_used')
    .on('continuations')
    .columns(['agent_id', 'used_at'])
    .execute()
}
