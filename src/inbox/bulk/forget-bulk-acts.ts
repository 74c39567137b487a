import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../../lib/clock.ts'
import { inBatches } from '../../lib/pacing/in-batches.ts'
import type { Tables } from '../../storage/tables.ts'
import { deleteBulkActsBefore, deleteItemsOfFinished } from './store.ts'

const DAYS_KEPT = 30

/** Deletes bulk acts that finished long ago, and the items that are left of any finished act. */
export async function forgetBulkActs(db: Kysely<Tables>, nowMs: number, signal?: AbortSignal): Promise<void> {
  await inBatches((limit) => deleteItemsOfFinished(db, limit), signal)
  const before = timestamp(nowMs - DAYS_KEPT * DAY_MS)
  await inBatches((limit) => deleteBulkActsBefore(db, before, limit), signal)
}
