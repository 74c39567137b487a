import type { Kysely } from 'kysely'
import { CONCERNS } from '../events/concerns-topic.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { holdAfter } from './breaker.ts'
import { countFailures, holdNotification, resetFailures } from './delivery-store.ts'
import type { Attempt } from './send-delivery.ts'

/** True if an attempt changes the health of an endpoint. @param failures the consecutive failures so far */
export function tellsOfHealth({ state }: Attempt, failures: number): boolean {
  return state === 'failed' || failures > 0
}

/**
 * Stores the effect of attempts on the health of an endpoint. Any HTTP answer counts as reachable. Blocked requests
 * never open a socket, so they do not count against it either.
 * @param attempts in the order in which they ended
 * @returns the stored number of consecutive failures
 */
export async function writeHealth(
  db: Kysely<Tables>,
  notificationId: number,
  attempts: readonly Attempt[],
  nowMs: number,
): Promise<number> {
  const answered = attempts.findLastIndex(({ state }) => state !== 'failed')
  if (answered >= 0) await resetFailures(db, { id: notificationId })
  const failed = attempts.length - 1 - answered
  if (failed === 0) return 0
  const [counted] = await countFailures(db, { id: notificationId, failed })
  const failures = counted?.failures ?? 0
  const held_until = holdAfter(failures, nowMs)
  if (held_until) {
    await holdNotification(db, { id: notificationId, held_until })
    wake(db, CONCERNS, 'here')
  }
  return failures
}
