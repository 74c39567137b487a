import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteNoticesBefore } from './store.ts'

const DAYS_KEPT = 30

/** Deletes notices that were told long ago, read or not. */
export async function forgetNotices(db: Kysely<Tables>, nowMs: number, signal?: AbortSignal): Promise<void> {
  const before = timestamp(nowMs - DAYS_KEPT * DAY_MS)
  await inBatches((limit) => deleteNoticesBefore(db, before, limit), signal)
}
