import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Files of messages that are fetched from their platforms. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('file_fetches')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('channel_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('message_id', engine.identityType, (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull())
    .addColumn('media', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('file_fetches_due')
    .on('file_fetches')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('file_fetches_agent').on('file_fetches').columns(['agent_id', 'id']).execute()
  await db.schema.createIndex('file_fetches_file').on('file_fetches').column('file_id').unique().execute()
  await engine.retireIds(db, { file_fetches: sql`select max(id) as id from file_fetches` })
}
