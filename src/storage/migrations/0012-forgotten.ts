import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Indexes by age for rows that are kept for a limited time. */
export const steps: readonly Step[] = [
  async (db) => {
    await db.schema
      .alterTable('cta_counts')
      // The time at which existing rows were shown is unknown, so their time begins now.
      .addColumn('shown_at', 'text', (column) => column.notNull().defaultTo(new Date().toISOString()))
      .execute()
  },
  index('cta_counts_shown', (create) => create.on('cta_counts').column('shown_at')),
  index('automation_jobs_done', (create) =>
    create.on('automation_jobs').column('created_at').where(sql<boolean>`state = 'done'`),
  ),
  index('idempotency_keys_created', (create) => create.on('idempotency_keys').column('created_at')),
]
