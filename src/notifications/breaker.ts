import { timestamp } from '../lib/clock.ts'
import { DELIVERIES_AT_ONCE } from './notification.ts'

/** Deliveries without an answer in a row after which an endpoint is left alone for a while. */
const FAILURES_BEFORE_HOLD = 10
const FIRST_HOLD_MS = 30_000
const LONGEST_HOLD_MS = 60 * 60 * 1000

/** An endpoint that has not answered all the time is tried with one delivery. */
export function mostAtOnce({ failures }: { failures: number }): number {
  return isHeldAfter(failures) ? 1 : DELIVERIES_AT_ONCE
}

/** Whether an endpoint that has failed this often in a row is left alone for a while. */
export function isHeldAfter(failures: number): boolean {
  return failures >= FAILURES_BEFORE_HOLD
}

/** When an endpoint that has failed this often in a row is tried next; null: at once. */
export function holdAfter(failures: number, now: number): string | null {
  if (!isHeldAfter(failures)) return null
  const holds = failures - FAILURES_BEFORE_HOLD
  return timestamp(now + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(holds, 20)))
}
