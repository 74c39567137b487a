import { HOUR_MS, timestamp } from '../lib/clock.ts'
import { DELIVERIES_AT_ONCE } from './notification.ts'

/**
 * The number of consecutive deliveries without an answer after which Parley stops sending to an endpoint for a while.
 */
const FAILURES_BEFORE_HOLD = 10
const FIRST_HOLD_MS = 30_000
const LONGEST_HOLD_MS = HOUR_MS

/** Returns the most deliveries that may be under way at once. An endpoint that keeps failing is tried with one. */
export function mostAtOnce({ failures }: { failures: number }): number {
  return isHeldAfter(failures) ? 1 : DELIVERIES_AT_ONCE
}

/** True if an endpoint with this many consecutive failures gets nothing for a while. */
export function isHeldAfter(failures: number): boolean {
  return failures >= FAILURES_BEFORE_HOLD
}

/**
 * Returns the time at which an endpoint with this many consecutive failures is tried next; null when it is not held.
 */
export function holdAfter(failures: number, nowMs: number): string | null {
  if (!isHeldAfter(failures)) return null
  const holds = failures - FAILURES_BEFORE_HOLD
  return timestamp(nowMs + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(holds, 20)))
}
