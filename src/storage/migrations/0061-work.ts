import type { Kysely } from 'kysely'
import type { Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

const QUEUES = [
  'mailboxes',
  'automation_jobs',
  'bulk_acts',
  'operator_mails',
  'knowledge_imports',
  'test_runs',
  'knowledge_embeddings',
  'knowledge_calibrations',
  'conversation_summaries',
] as const

/**
 * Gives every table of background work the number of failures of each piece, the number of processes that ended while
 * working on it, and a mark of parked pieces.
 */
export const steps: readonly Step[] = [
  ...QUEUES.map((table) => (db: Kysely<Tables>) => addColumns(db, table)),
  async (db) => {
    await db.schema
      .alterTable('mailboxes')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
  ...(['bulk_acts', 'knowledge_imports', 'test_runs'] as const).map((table) => async (db: Kysely<Tables>) => {
    await db.schema.alterTable(table).addColumn('due_at', 'text').execute()
  }),
]

async function addColumns(db: Kysely<Tables>, table: string): Promise<void> {
  // SQLite adds one column a statement.
  await db.schema
    .alterTable(table)
    .addColumn('deaths', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable(table).addColumn('parked_at', 'text').execute()
  await db.schema.alterTable(table).addColumn('failure', 'text').execute()
}
