import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { deleteFinishedItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/** Platforms send what was not acknowledged again for up to a week: ids are known for twice as long. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const AT_ONCE = 1000

/** Forgets mailbox items that were finished long ago, every hour. */
export function forgetFinished({
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
    while ((await deleteFinishedItems(db, before, AT_ONCE)) === AT_ONCE) {
      // The next batch is a transaction of its own, so that nobody waits long.
    }
  }

  return {
    run,
    start() {
      timer = setInterval(() => {
        run().catch((error: Error) => logger.warn({ error: error.name }, 'finished items'))
      }, HOUR_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
