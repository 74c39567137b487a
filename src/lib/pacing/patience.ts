import { MINUTE_MS, timestamp } from '../clock.ts'

const LONGEST_PATIENCE_MS = 60 * MINUTE_MS

/**
 * Returns the time at which to ask a server outside again that is not ready: after one minute, two, four, at most an hour.
 * @param asked the milliseconds that the server asks to wait; null: it does not say
 */
export function patientAttemptAt(attempts: number, nowMs: number, asked: number | null = null): string {
  const pause = asked ?? MINUTE_MS * 2 ** Math.min(attempts - 1, 10)
  return timestamp(nowMs + Math.min(LONGEST_PATIENCE_MS, pause))
}
