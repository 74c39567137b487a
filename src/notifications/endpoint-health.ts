import type { Kysely } from 'kysely'
import type { NotificationRow, Tables } from '../storage/tables.ts'
import { holdAfter } from './breaker.ts'
import { countFailure, holdNotification, resetFailures } from './delivery-store.ts'
import type { Attempt } from './send-delivery.ts'

/** How well an endpoint answers: one that fails all the time is left alone for a while. */
export interface EndpointHealth {
  /** What is stored counts: other processes send too. */
  read(notification: Pick<NotificationRow, 'failures'>): void
  /** Whether an attempt tells something new of it. */
  isTold(attempt: Attempt): boolean
  /** Stores what an attempt tells of it. */
  write(db: Kysely<Tables>, attempt: Attempt, now: number): Promise<void>
}

export function endpointHealth(id: number): EndpointHealth {
  let failures = 0

  return {
    read(notification) {
      failures = notification.failures
    },
    isTold: ({ state }) => state === 'failed' || failures > 0,
    async write(db, { state }, now) {
      // Who answers is there, whatever the answer; what is blocked costs nobody anything.
      if (state !== 'failed') {
        if (failures > 0) await resetFailures(db, { id })
        failures = 0
        return
      }
      const [counted] = await countFailure(db, { id })
      failures = counted?.failures ?? 0
      const held_until = holdAfter(failures, now)
      if (held_until) await holdNotification(db, { id, held_until })
    },
  }
}
