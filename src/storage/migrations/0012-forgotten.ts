import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Rows that are kept for a limited time are found by age. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('cta_counts')
    // Nobody knows when existing rows were shown, so their time begins now.
    .addColumn('shown_at', 'text', (column) => column.notNull().defaultTo(new Date().toISOString()))
    .execute()
  await db.schema.createIndex('cta_counts_shown').on('cta_counts').columns(['shown_at']).execute()
  await db.schema
    .createIndex('automation_jobs_done')
    .on('automation_jobs')
    .columns(['created_at'])
    .where(sql<boolean>`state = 'done'`)
    .execute()
  await db.schema
    .createIndex('idempotency_keys_created')
    .on('idempotency_keys')
    .columns(['created_at'])
    .execute()
}
