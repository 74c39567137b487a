import { timestamp } from '../lib/clock.ts'
import { DELIVERIES_AT_ONCE } from './notification.ts'

/** After this many deliveries in a row without an answer, Parley stops sending to an endpoint for a while. */
const FAILURES_BEFORE_HOLD = 10
const FIRST_HOLD_MS = 30_000
const LONGEST_HOLD_MS = 60 * 60 * 1000

/** How many deliveries may be under way at once. An endpoint that keeps failing is tried with one. */
export function mostAtOnce({ failures }: { failures: number }): number {
  return isHeldAfter(failures) ? 1 : DELIVERIES_AT_ONCE
}

/** Whether nothing is sent for a while to an endpoint that has failed this often in a row. */
export function isHeldAfter(failures: number): boolean {
  return failures >= FAILURES_BEFORE_HOLD
}

/** When an endpoint that has failed this often in a row is tried next; null: it is not held. */
export function holdAfter(failures: number, nowMs: number): string | null {
  if (!isHeldAfter(failures)) return null
  const holds = failures - FAILURES_BEFORE_HOLD
  return timestamp(nowMs + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(holds, 20)))
}
