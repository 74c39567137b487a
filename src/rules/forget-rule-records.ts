import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteEndedJobs, deleteOldCtaCounts, deleteOldRuleLog } from './store.ts'

/**
 * Deletes what is older than some days: automation jobs that are done or parked, the counts of calls to action that
 * were not shown since, and the log of rules.
 */
export async function forgetRuleRecords(
  db: Kysely<Tables>,
  nowMs: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - days * DAY_MS)
  for (const table of ['automation_jobs', 'desk_jobs'] as const)
    await inBatches((limit) => deleteEndedJobs(db, table, before, limit), signal)
  await inBatches((limit) => deleteOldCtaCounts(db, before, limit), signal)
  await inBatches((limit) => deleteOldRuleLog(db, before, limit), signal)
}
