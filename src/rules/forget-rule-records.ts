import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteDoneJobs, deleteOldCtaCounts } from './store.ts'

/**
 * Forgets automation jobs of more than some days ago that are done, and how often calls to action were shown in
 * conversations in which they were not shown since.
 */
export async function forgetRuleRecords(
  db: Kysely<Tables>,
  now: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(now - days * DAY_MS)
  await inBatches((limit) => deleteDoneJobs(db, before, limit), signal)
  await inBatches((limit) => deleteOldCtaCounts(db, before, limit), signal)
}
