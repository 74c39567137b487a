import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns how long a peer asks to wait before the next request, in milliseconds from now; null when it does not say.
 * Reads seconds or a date (RFC 9110 section 10.2.3).
 */
export function retryAfterMs({ 'retry-after': value }: IncomingHttpHeaders): number | null {
  if (value === undefined) return null
  const wait = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(wait) ? Math.max(wait, 0) : null
}
