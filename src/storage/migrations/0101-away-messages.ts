import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The work of telling users that nobody is there, and until when each conversation was told. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('away_messages')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('told_until', 'text')
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('away_messages_due')
    .on('away_messages')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('away_messages_agent').on('away_messages').columns(['agent_id', 'id']).execute()
  await db.schema
    .createIndex('away_messages_conversation')
    .on('away_messages')
    .column('conversation_id')
    .unique()
    .execute()
}
