/** Milliseconds since the epoch; passed in wherever time is read, so that tests can set it. */
export type Clock = () => number

export const DAY_MS = 24 * 60 * 60 * 1000

/** RFC 3339 in UTC with milliseconds, as every timestamp of Parley is written. */
export function timestamp(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() }
  return last.text
}

/** Much is written in one millisecond, and each time costs as much as a small query. */
let last = { milliseconds: 0, text: new Date(0).toISOString() }
