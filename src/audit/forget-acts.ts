import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldActs } from './store.ts'

/** Forgets what was done more than some days ago. */
export async function forgetActs(
  db: Kysely<Tables>,
  now: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(now - days * DAY_MS)
  await inBatches((limit) => deleteOldActs(db, before, limit), signal)
}
