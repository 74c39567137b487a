import { DAY_MS, timestamp } from './clock.ts'

/** The number of days over which lists count the activity of their items. */
export const ACTIVITY_DAYS = 30

/** The most that lists count, so that a page costs the same however active its items are. */
export const ACTIVITY_MOST = 1000

/** Returns the time from which lists count the activity of their items. */
export function activitySince(nowMs: number): string {
  return timestamp(nowMs - ACTIVITY_DAYS * DAY_MS)
}
