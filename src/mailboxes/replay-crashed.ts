import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { type LookLoop, lookLoop } from '../work/look-loop.ts'
import type { QueueDependencies } from '../work/run-queue.ts'
import { makeDue, updateItems } from './items.ts'
import { selectCrashed } from './store.ts'
import type { MailboxItemRow } from './tables.ts'

const AT_ONCE = 100
const LOOK_EVERY_MS = 5000

/**
 * Puts incoming items back that were parked only because processes ended with them; otherwise nobody would answer them.
 */
export function replayCrashed(
  { database: { db, wakeUps }, clock, logger }: QueueDependencies,
  replayed: ((db: Kysely<Tables>, item: MailboxItemRow) => Promise<void>) | undefined,
): LookLoop {
  return lookLoop({ name: 'parked messages', wakeUps, logger, everyMs: LOOK_EVERY_MS }, async () => {
    const now = timestamp(clock())
    for (const item of await selectCrashed(db, { now, limit: AT_ONCE }))
      await db.transaction().execute(async (db) => {
        await makeDue(db, { id: item.mailbox_id, due_at: now })
        await updateItems(db, [item.id], { state: 'waiting', finished_at: null, error: null })
        await replayed?.(db, item)
      })
  })
}
