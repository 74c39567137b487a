import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step, workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The choices of people for their notices, and the mails with those that they have not read. */
export const steps: readonly Step[] = [addColumns('notices', { mailed_at: 'text' }), createTables]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('notice_settings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().unique().references('operators.id').onDelete('cascade'),
    )
    .addColumn('choices', 'text', (column) => column.notNull())
    .addColumn('after_minutes', 'integer', (column) => column.notNull())
    .addColumn('details', 'integer', (column) => column.notNull())
    .addColumn('digest_at', 'text')
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('digested_until', 'text')
    .addColumn('sending_since', 'text')
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema.createIndex('notice_settings_due').on('notice_settings').columns(['due_at', 'id']).execute()
  await db.schema
    .createTable('notice_mails')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('sending_since', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .$call(workColumns)
    .addUniqueConstraint('notice_mails_person', ['agent_id', 'operator_id'])
    .execute()
  await db.schema.createIndex('notice_mails_due').on('notice_mails').columns(['due_at', 'id']).execute()
}
