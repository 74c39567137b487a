import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Notices for people, and the causes of which they are still to be told. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('notice_causes')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('source_id', engine.identityType, (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .$call(workColumns)
    .execute()
  await db.schema.createIndex('notice_causes_due').on('notice_causes').columns(['due_at', 'id']).execute()
  await db.schema.createIndex('notice_causes_agent').on('notice_causes').columns(['agent_id', 'id']).execute()
  await db.schema
    .createTable('notices')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text')
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('source_id', engine.identityType)
    .addColumn('name', 'text')
    .addColumn('count', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('unread', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('on_page', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('notices_open')
    .on('notices')
    .columns(['operator_id', 'kind', 'about'])
    .unique()
    .where(sql.ref('unread'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createIndex('notices_listed')
    .on('notices')
    .columns(['operator_id', 'on_page', 'at', 'id'])
    .execute()
  await db.schema
    .createIndex('notices_unread')
    .on('notices')
    .columns(['operator_id', 'on_page', 'unread', 'at', 'id'])
    .execute()
  await db.schema
    .createIndex('notices_conversation')
    .on('notices')
    .column('conversation_id')
    .where(sql.ref('unread'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('notices_agent').on('notices').columns(['agent_id', 'id']).execute()
  await db.schema.createIndex('notices_at').on('notices').columns(['at', 'id']).execute()
}
