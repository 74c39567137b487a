import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import { workEach } from '../lib/pacing/work-each.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldDeliveries, deleteSurplusDeliveries, selectNotificationIds } from './delivery-store.ts'

/** The newest deliveries of a notification, which stay. */
export const KEPT_OF_ONE = 10_000

/** Deletes deliveries that ended more than some days ago, and all but the newest of each notification. */
export async function forgetDeliveries(
  db: Kysely<Tables>,
  nowMs: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - days * DAY_MS)
  await inBatches((limit) => deleteOldDeliveries(db, before, limit), signal)
  const forgetSurplus = (id: number) =>
    inBatches((limit) => deleteSurplusDeliveries(db, id, KEPT_OF_ONE, limit), signal)
  await workEach(await selectNotificationIds(db), forgetSurplus, { signal })
}
