import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { REPEATS_KEPT_MS } from './repeats.ts'
import { deleteOldIdempotencyKeys } from './store.ts'

/** Deletes the keys of requests that are too old to be repeated. */
export async function forgetIdempotencyKeys(
  db: Kysely<Tables>,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - REPEATS_KEPT_MS)
  await inBatches((limit) => deleteOldIdempotencyKeys(db, before, limit), signal)
}
