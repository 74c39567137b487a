import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** What is kept for a time only is found by its age. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('cta_counts')
    // Nobody knows when those from before were shown: their time begins now.
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
