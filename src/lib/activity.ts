import { DAY_MS, timestamp } from './clock.ts'

/** Lists count what their things did in so many days. */
export const ACTIVITY_DAYS = 30

/** Lists count this far, so that a page costs the same however much its things do. */
export const ACTIVITY_MOST = 1000

/** The time from which on lists count what their things did. */
export function activitySince(nowMs: number): string {
  return timestamp(nowMs - ACTIVITY_DAYS * DAY_MS)
}
