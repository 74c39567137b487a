import type { Kysely } from 'kysely'
import type { Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

const QUEUES = [
  'automation_jobs',
  'away_messages',
  'bulk_acts',
  'conversation_summaries',
  'desk_jobs',
  'file_fetches',
  'knowledge_calibrations',
  'knowledge_embeddings',
  'knowledge_imports',
  'knowledge_proposals',
  'mailboxes',
  'notice_causes',
  'notice_mails',
  'notice_pushes',
  'notice_settings',
  'operator_mails',
  'silences',
  'snoozes',
  'support_retries',
  'target_clocks',
  'target_recounts',
  'test_runs',
] as const

/** Gives every table of background work the number of each piece's failures that were no failures of its own. */
export const steps: readonly Step[] = QUEUES.map((table) => async (db: Kysely<Tables>) => {
  await db.schema
    .alterTable(table)
    .addColumn('waits', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
})
