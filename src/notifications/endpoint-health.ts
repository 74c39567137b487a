import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { holdAfter, isHeldAfter } from './breaker.ts'
import { countFailures, holdNotification, resetFailures } from './delivery-store.ts'
import type { Attempt } from './send-delivery.ts'
import type { NotificationRow } from './tables.ts'

/** How well an endpoint answers: one that fails all the time is left alone for a while. */
export interface EndpointHealth {
  /** What is stored counts: other processes send too. */
  read(notification: Pick<NotificationRow, 'failures'>): void
  /** Whether an attempt tells something new of it. */
  isTold(attempt: Attempt): boolean
  /** Stores what attempts tell of it, in the order in which they ended. */
  write(db: Kysely<Tables>, attempts: readonly Attempt[], now: number): Promise<void>
  /** How many failures in a row are stored by now; null when what may be sent has changed with them. */
  stillFailing(): number | null
}

export function endpointHealth(id: number): EndpointHealth {
  let failures = 0

  return {
    read(notification) {
      failures = notification.failures
    },
    isTold: ({ state }) => state === 'failed' || failures > 0,
    async write(db, attempts, now) {
      // Who answers is there, whatever the answer; what is blocked costs nobody anything.
      const answered = attempts.findLastIndex(({ state }) => state !== 'failed')
      if (answered >= 0) {
        // Whatever is known here: the transaction may be a second try.
        await resetFailures(db, { id })
        failures = 0
      }
      const failed = attempts.length - 1 - answered
      if (failed === 0) return
      const [counted] = await countFailures(db, { id, failed })
      failures = counted?.failures ?? 0
      const held_until = holdAfter(failures, now)
      if (held_until) await holdNotification(db, { id, held_until })
    },
    stillFailing: () => (failures > 0 && !isHeldAfter(failures) ? failures : null),
  }
}
