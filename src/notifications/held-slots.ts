import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { mostAtOnce } from './breaker.ts'
import { freeSlots, renewSlots, takeSlots } from './slot-store.ts'
import type { NotificationRow } from './tables.ts'

/** Longer than a delivery takes: a slot or a `sending` delivery of this age has lost its process. */
export const HELD_MS = 15_000
/** Slots are kept for longer when they were last kept this long ago. */
const KEEP_EVERY_MS = 2_000

type Endpoint = Pick<NotificationRow, 'failures'>

/** The slots of one notification that this process holds: as many deliveries of it may be under way here. */
export interface HeldSlots {
  take(db: Kysely<Tables>, endpoint: Endpoint, time: number): Promise<void>
  /** Keeps them from running out; those that another process has taken over meanwhile are this one's no more. */
  keep(db: Kysely<Tables>, endpoint: Endpoint, time: number): Promise<void>
  free(db: Kysely<Tables>): Promise<void>
  /** How many may be used. */
  usable(): number
}

export function holdSlots(notificationId: number, holder: string): HeldSlots {
  let held = 0
  let most = 0
  let keptAt = 0
  const wish = (time: number) => ({
    holder,
    now: timestamp(time),
    until: timestamp(time + HELD_MS),
    most,
  })

  return {
    async take(db, endpoint, time) {
      most = mostAtOnce(endpoint)
      held = await takeSlots(db, notificationId, wish(time))
      keptAt = time
    },
    async keep(db, endpoint, time) {
      most = mostAtOnce(endpoint)
      if (time - keptAt < KEEP_EVERY_MS) return
      const until = timestamp(time + HELD_MS)
      held = (await renewSlots(db, { notification_id: notificationId, holder, until })).length
      // An endpoint that had failed was tried with one, and others may have been a dead process's.
      if (held < most) held += await takeSlots(db, notificationId, wish(time))
      keptAt = time
    },
    async free(db) {
      await freeSlots(db, { notification_id: notificationId, holder })
    },
    usable: () => Math.min(held, most),
  }
}
