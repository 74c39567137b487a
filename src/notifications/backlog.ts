import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { isHeldAfter, mostAtOnce } from './breaker.ts'
import { READ_AHEAD } from './build-payload.ts'
import { readAhead, type WaitingDeliveries } from './read-ahead.ts'
import type { NotificationRow } from './tables.ts'

/** The deliveries that wait for one notification, as its lane last read them. */
interface Backlog {
  /** True if the backlog must be read before the next deliveries are taken. */
  mustRead(): boolean
  read(): Promise<void>
  /** Notes that more deliveries may wait than were read. */
  expectMore(): void
  /** Returns the number of deliveries left of those that were read. */
  size(): number
  /** Takes the oldest deliveries; null when there are none. */
  take(count: number): WaitingDeliveries | null
  /** Returns the number of consecutive failures of the endpoint. */
  failures(): number
  /** @param failures the stored number of consecutive failures; null when unknown */
  setFailures(failures: number | null): void
  /** Returns the most deliveries that may be under way at once. */
  mostAtOnce(): number
}

/** The age from which deliveries are read again before they are sent. */
const FRESH_MS = 1000

/** @param notification the row as it was claimed */
export function openBacklog(
  tools: { db: Kysely<Tables>; clock: Clock },
  notification: NotificationRow,
): Backlog {
  let waiting: WaitingDeliveries | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let mayHoldMore = true
  let { failures } = notification

  const size = () => waiting?.built.length ?? 0
  const isFresh = (nowMs: number) => nowMs - readAt <= FRESH_MS

  return {
    mustRead: () => (size() === 0 ? mayHoldMore : !isFresh(tools.clock())),
    async read() {
      const nowMs = tools.clock()
      // An endpoint that takes deliveries quickly needs many bodies.
      const limit = waiting && isFresh(nowMs) ? READ_AHEAD.many : READ_AHEAD.few
      waiting = null
      // Reset before the query, because `expectMore` may be called while it runs.
      mayHoldMore = false
      waiting = await readAhead(tools, notification, timestamp(nowMs), limit)
      readAt = nowMs
      if (!waiting) return
      failures = waiting.notification.failures
      mayHoldMore ||= waiting.built.length === limit
    },
    expectMore() {
      mayHoldMore = true
    },
    size,
    take(count) {
      return waiting && size() > 0 ? { ...waiting, built: waiting.built.splice(0, count) } : null
    },
    failures: () => failures,
    setFailures(counted) {
      failures = counted ?? failures
      if (counted === null || isHeldAfter(counted)) {
        waiting = null
        mayHoldMore = true
      } else if (waiting) {
        waiting = { ...waiting, notification: { ...waiting.notification, failures } }
      }
    },
    mostAtOnce: () => mostAtOnce({ failures }),
  }
}
