import { DAY_MS } from '../lib/clock.ts'
import { offsetOf } from '../lib/time-zone.ts'

export const QUARTER_MS = 15 * 60_000

/** No zone is further from UTC, summer time included. */
const MOST_OFFSET_MS = 15 * 60 * 60_000

/** The number of the day that a clock in a time zone shows, counted from 1 January 1970. */
function dayNumber(at: number, timeZone: string): number {
  return Math.floor((at + offsetOf(at, timeZone)) / DAY_MS)
}

/** The day that a clock in a time zone shows, as YYYY-MM-DD. @param at milliseconds since the epoch */
export function localDay(at: number, timeZone: string): string {
  return new Date(dayNumber(at, timeZone) * DAY_MS).toISOString().slice(0, 10)
}

/**
 * When a day begins in a time zone, at a quarter of an hour. A day that the zone left out, as when it crossed the date
 * line, begins when the next one does.
 * @param day midnight of its date in UTC, in milliseconds since the epoch
 */
export function beginOfDay(day: number, timeZone: string): number {
  let earliest = day - MOST_OFFSET_MS
  let latest = day + MOST_OFFSET_MS
  const offset = offsetOf(earliest, timeZone)
  if (offset === offsetOf(latest, timeZone)) return Math.ceil((day - offset) / QUARTER_MS) * QUARTER_MS
  const wanted = day / DAY_MS
  while (earliest < latest) {
    const middle = Math.floor((earliest + latest) / 2 / QUARTER_MS) * QUARTER_MS
    if (dayNumber(middle, timeZone) < wanted) earliest = middle + QUARTER_MS
    else latest = middle
  }
  return earliest
}
