import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldDeliveries, deleteSurplusDeliveries, selectNotificationIds } from './delivery-store.ts'

const KEPT_OF_ONE = 10_000

/** Forgets deliveries that ended: those of more than some days ago, and all but the newest of each notification. */
export async function forgetDeliveries(
  db: Kysely<Tables>,
  now: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(now - days * DAY_MS)
  await inBatches((limit) => deleteOldDeliveries(db, before, limit), signal)
  for (const id of await selectNotificationIds(db))
    await inBatches((limit) => deleteSurplusDeliveries(db, id, KEPT_OF_ONE, limit), signal)
}
