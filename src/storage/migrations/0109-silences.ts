import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The work of what follows when users say nothing after an answer. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('silences')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('followed_up', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('silences_due')
    .on('silences')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('silences_agent').on('silences').columns(['agent_id', 'id']).execute()
  await db.schema
    .createIndex('silences_conversation')
    .on('silences')
    .column('conversation_id')
    .unique()
    .execute()
}
