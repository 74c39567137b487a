/** How often a crawl is repeated: hours or days. */
export const EVERY = /^([1-9]\d{0,2})([hd])$/

const HOUR_MS = 60 * 60 * 1000

/** `6h` or `7d` in milliseconds. */
export function everyMs(every: string): number {
  const [, count = '1', unit] = EVERY.exec(every) ?? []
  return Number(count) * (unit === 'h' ? HOUR_MS : 24 * HOUR_MS)
}
