import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldIdempotencyKeys } from './idempotency-store.ts'
import { REPEATS_KEPT_MS } from './start-turn.ts'

/** Forgets the keys of requests that are too old to be repeated: most are never asked for again. */
export async function forgetIdempotencyKeys(
  db: Kysely<Tables>,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(now - REPEATS_KEPT_MS)
  await inBatches((limit) => deleteOldIdempotencyKeys(db, before, limit), signal)
}
