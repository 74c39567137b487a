import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { REPEATS_KEPT_MS } from './start-turn.ts'
import { deleteOldIdempotencyKeys } from './store.ts'

const HOUR_MS = 60 * 60 * 1000
const AT_ONCE = 1000

/** Forgets the keys of requests that are too old to be repeated, every hour: most are never asked for again. */
export function forgetIdempotencyKeys({
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
    const before = timestamp(clock() - REPEATS_KEPT_MS)
    while ((await deleteOldIdempotencyKeys(db, before, AT_ONCE)) === AT_ONCE) {
      // The next batch is a transaction of its own, so that nobody waits long.
    }
  }

  return {
    run,
    start() {
      timer = setInterval(() => {
        run().catch((error: Error) => logger.warn({ error: error.name }, 'idempotency keys'))
      }, HOUR_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
