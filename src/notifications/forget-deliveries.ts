import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldDeliveries, deleteSurplusDeliveries, selectNotificationIds } from './delivery-store.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const KEPT_OF_ONE = 10_000
const AT_ONCE = 1000

/** Forgets deliveries that ended, by age and by number, batch by batch. */
export async function forgetDeliveries(db: Kysely<Tables>, now: number, signal?: AbortSignal): Promise<void> {
  const before = timestamp(now - KEPT_MS)
  while (!signal?.aborted && (await deleteOldDeliveries(db, before, AT_ONCE)) === AT_ONCE) {
    // The next batch is a transaction of its own, so that nobody waits long.
  }
  for (const id of await selectNotificationIds(db)) {
    while (!signal?.aborted && (await deleteSurplusDeliveries(db, id, KEPT_OF_ONE, AT_ONCE)) === AT_ONCE) {
      // The same.
    }
  }
}
