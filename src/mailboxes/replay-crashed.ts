import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { workAll } from '../lib/pacing/work-each.ts'
import type { Tables } from '../storage/tables.ts'
import { type LookLoop, lookLoop } from '../work/look-loop.ts'
import type { QueueDependencies } from '../work/run-queue.ts'
import { unpark } from './items.ts'
import { selectCrashed } from './store.ts'
import type { MailboxItemRow } from './tables.ts'

const LOOK_EVERY_MS = 5000

/**
 * Puts incoming items back that were parked only because processes ended with them; otherwise nobody would answer them.
 */
export function replayCrashed(
  { database: { db, wakeUps }, clock, logger }: QueueDependencies,
  replayed: ((db: Kysely<Tables>, item: MailboxItemRow) => Promise<void>) | undefined,
): LookLoop {
  async function replay(item: MailboxItemRow, now: string): Promise<void> {
    await db.transaction().execute(async (db) => {
      if (await unpark(db, item, now)) await replayed?.(db, item)
    })
  }

  return lookLoop({ name: 'parked messages', wakeUps, logger, everyMs: LOOK_EVERY_MS }, async (stopping) => {
    const now = timestamp(clock())
    const select = (limit: number) => selectCrashed(db, { now, limit })
    await workAll(
      select,
      ({ id }) => id,
      (item) => replay(item, now),
      stopping,
    )
  })
}
