import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Adds widgets of web sites, the conversations that come through them, and the proof of their visitors' identity. */
export const steps: readonly Step[] = [
  createWidgets,
  addColumns('conversations', { widget_id: 'id' }),
  index('conversations_visitor', (create) =>
    create
      .on('conversations')
      .columns(['widget_id', 'user_id', 'sequence'])
      .where(sql.ref('widget_id'), 'is not', null),
  ),
  addColumns('users', { identity: 'text' }),
  addColumns('messages', { operator_id: 'id' }),
]

async function createWidgets(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('widgets')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull().unique())
    .addColumn('allowed_origins', 'text', (column) => column.notNull())
    .addColumn('look', 'text', (column) => column.notNull())
    .addColumn('texts', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('identity_secret', 'text', (column) => column.notNull())
    .addColumn('secret_version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('widgets_agent').on('widgets').columns(['agent_id', 'id']).execute()
  await engine.retireIds(db, { widgets: sql`select max(id) as id from widgets` })
}
