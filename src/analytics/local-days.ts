import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { offsetOf } from '../lib/time-zone.ts'

export const QUARTER_MS = 15 * 60_000

/** An offset from UTC that no zone exceeds, summer time included. */
const MOST_OFFSET_MS = 15 * HOUR_MS

/** Returns the number of the day that a clock in a time zone shows, counted from 1 January 1970. */
function dayNumber(at: number, timeZone: string): number {
  return Math.floor((at + offsetOf(at, timeZone)) / DAY_MS)
}

/** Returns the day that a clock in a time zone shows, as YYYY-MM-DD. @param at milliseconds since the epoch */
export function localDay(at: number, timeZone: string): string {
  return new Date(dayNumber(at, timeZone) * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Returns a function for the hour of the day that a clock in a time zone shows, from 0. For times that come in order it
 * asks for the offset from UTC twice a day.
 */
export function hoursAt(timeZone: string): (at: number) => number {
  let known = { from: 0, to: 0, offset: 0 }
  return (at) => {
    if (at < known.from || known.to <= at) known = offsetAround(at, timeZone)
    const local = at + known.offset
    return Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / (4 * QUARTER_MS))
  }
}

/** Returns the offset at a time, and a period around it in which the offset stays the same. */
function offsetAround(at: number, timeZone: string): { from: number; to: number; offset: number } {
  const from = Math.floor(at / DAY_MS) * DAY_MS
  const offset = offsetOf(from, timeZone)
  if (offset === offsetOf(from + DAY_MS, timeZone)) return { from, to: from + DAY_MS, offset }
  return { from: at, to: at + 1, offset: offsetOf(at, timeZone) }
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

/** Lists the days from one to another, as YYYY-MM-DD. */
export function datesOf(from: string, to: string): string[] {
  const dates = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS)
    dates.push(new Date(time).toISOString().slice(0, 10))
  return dates
}
