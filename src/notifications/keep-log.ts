import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldDeliveries, deleteSurplusDeliveries, selectNotificationIds } from './delivery-store.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const KEPT_OF_ONE = 10_000
const HOUR_MS = 60 * 60 * 1000
const AT_ONCE = 1000

/** Forgets deliveries by age and by number, every hour, in batches that hold nobody up. */
export function keepDeliveryLog({
  db,
  clock,
  logger,
}: {
  db: Kysely<Tables>
  clock: Clock
  logger: FastifyBaseLogger
}) {
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    const before = timestamp(clock() - KEPT_MS)
    while ((await deleteOldDeliveries(db, before, AT_ONCE)) === AT_ONCE) {
      // Each batch is a transaction of its own.
    }
    for (const id of await selectNotificationIds(db)) {
      while ((await deleteSurplusDeliveries(db, id, KEPT_OF_ONE, AT_ONCE)) === AT_ONCE) {
        // The same.
      }
    }
  }

  return {
    run,
    start() {
      timer = setInterval(() => {
        run().catch((error: Error) => logger.warn({ error: error.name }, 'delivery log'))
      }, HOUR_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
