/** Milliseconds since the epoch; passed in wherever time is read, so that tests can set it. */
export type Clock = () => number

export const DAY_MS = 24 * 60 * 60 * 1000

/** RFC 3339 in UTC with milliseconds, as every timestamp of Parley is written. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== last.second) last = { second, start: new Date(second * 1000).toISOString().slice(0, -4) }
  const rest = Math.floor(milliseconds - second * 1000)
  return `${last.start}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`
}

/** Much is written in one second, and a timestamp made from nothing costs as much as a small query. */
let last = { second: 0, start: new Date(0).toISOString().slice(0, -4) }
