import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteRunsBefore } from './store.ts'

/** The same as for bulk acts, because a run may be a part of one. */
const DAYS_KEPT = 30

/** Deletes what is known of runs of macros that began long ago. They can no longer be undone. */
export async function forgetMacroRuns(
  db: Kysely<Tables>,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - DAYS_KEPT * DAY_MS)
  await inBatches((limit) => deleteRunsBefore(db, before, limit), signal)
}
