/** Returns milliseconds since the epoch. Passed in wherever time is read, so that tests can set it. */
export type Clock = () => number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const MONTH_MINUTES = 30 * 24 * 60
export const YEAR_MINUTES = 366 * 24 * 60

/** The latest time that a timestamp can be: later than every other, where a time is required. */
export const LATEST = '9999-12-31T23:59:59.999Z'

/** Formats a time as RFC 3339 in UTC with milliseconds, the form of every timestamp in Parley. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== last.second) last = { second, start: new Date(second * 1000).toISOString().slice(0, -4) }
  const rest = Math.floor(milliseconds - second * 1000)
  return `${last.start}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`
}

/** Returns the day after another, each as YYYY-MM-DD. */
export function dayAfter(day: string): string {
  return timestamp(Date.parse(day) + DAY_MS).slice(0, 10)
}

/** The last second formatted. Many timestamps share a second, and making one anew costs as much as a small query. */
let last = { second: 0, start: new Date(0).toISOString().slice(0, -4) }
