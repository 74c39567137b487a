import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, type Step, workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Conversations that are put aside until a time, and the work of bringing each back. */
export const steps: readonly Step[] = [
  addColumns('conversations', { snoozed_until: 'text' }),
  async (db) =>
    db.schema
      .alterTable('inbox_counters')
      .addColumn('snoozed_count', 'integer', (column) => column.notNull().defaultTo(0))
      .execute(),
  index('inbox_rows_snoozed', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'assignee_id', 'last_message_id', 'sequence'])
      .where(sql.ref('state'), '=', 3),
  ),
  createSnoozes,
]

async function createSnoozes(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('snoozes')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('snoozes_due')
    .on('snoozes')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('snoozes_agent').on('snoozes').columns(['agent_id', 'id']).execute()
  await db.schema
    .createIndex('snoozes_conversation')
    .on('snoozes')
    .column('conversation_id')
    .unique()
    .execute()
}
