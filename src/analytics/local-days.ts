import { DAY_MS } from '../lib/clock.ts'
import { offsetOf } from '../lib/time-zone.ts'

export const QUARTER_MS = 15 * 60_000

/** An offset from UTC that no zone exceeds, summer time included. */
const MOST_OFFSET_MS = 15 * 60 * 60_000

/** Returns the number of the day that a clock in a time zone shows, counted from 1 January 1970. */
function dayNumber(at: number, timeZone: string): number {
  return Math.floor((at + offsetOf(at, timeZone)) / DAY_MS)
}

/** Returns the day that a clock in a time zone shows, as YYYY-MM-DD. @param at milliseconds since the epoch */
export function localDay(at: number, timeZone: string): string {
  return new Date(dayNumber(at, timeZone) * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Returns the time at which a day begins in a time zone, on a quarter of an hour. A day that the zone skipped, as when
 * it crossed the date line, begins when the next one does.
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
