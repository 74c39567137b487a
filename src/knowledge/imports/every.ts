import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'

/** The interval at which a crawl is repeated, in hours or days. */
export const EVERY = /^([1-9]\d{0,2})([hd])$/

/** Converts an interval such as `6h` or `7d` to milliseconds. */
export function everyMs(every: string): number {
  const [, count = '1', unit] = EVERY.exec(every) ?? []
  return Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS)
}
