import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldActs } from './store.ts'

/** Deletes the acts that are older than some days. */
export async function forgetActs(
  db: Kysely<Tables>,
  nowMs: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - days * DAY_MS)
  await inBatches((limit) => deleteOldActs(db, before, limit), signal)
}
