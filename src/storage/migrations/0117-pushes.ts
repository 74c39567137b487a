import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The browsers that people have notices pushed to, and the pushes themselves. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('push_browsers')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('session_id', engine.identityType, (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull().unique())
    .addColumn('p256dh', 'text', (column) => column.notNull())
    .addColumn('auth', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('push_browsers_operator')
    .on('push_browsers')
    .columns(['operator_id', 'id'])
    .execute()
  await db.schema
    .createTable('notice_pushes')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('notice_id', engine.identityType, (column) =>
      column.notNull().references('notices.id').onDelete('cascade'),
    )
    .addColumn('browser_id', engine.identityType, (column) =>
      column.notNull().references('push_browsers.id').onDelete('cascade'),
    )
    .addColumn('shown_at', 'text')
    .addColumn('sending_since', 'text')
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .addUniqueConstraint('notice_pushes_once', ['notice_id', 'browser_id'])
    .execute()
  await db.schema.createIndex('notice_pushes_due').on('notice_pushes').columns(['due_at', 'id']).execute()
  await db.schema.createIndex('notice_pushes_browser').on('notice_pushes').column('browser_id').execute()
  await db.schema.createIndex('notice_pushes_agent').on('notice_pushes').columns(['agent_id', 'id']).execute()
}
