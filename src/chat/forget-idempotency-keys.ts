import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { REPEATS_KEPT_MS } from './start-turn.ts'
import { deleteOldIdempotencyKeys } from './store.ts'

const AT_ONCE = 1000

/** Forgets the keys of requests that are too old to be repeated, batch by batch: most are never asked for again. */
export async function forgetIdempotencyKeys(
  db: Kysely<Tables>,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(now - REPEATS_KEPT_MS)
  while (!signal?.aborted && (await deleteOldIdempotencyKeys(db, before, AT_ONCE)) === AT_ONCE) {
    // The next batch is a transaction of its own, so that nobody waits long.
  }
}
