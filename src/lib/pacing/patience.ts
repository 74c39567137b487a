import { MINUTE_MS, timestamp } from '../clock.ts'

const LONGEST_PATIENCE_MS = 60 * MINUTE_MS

/**
 * Returns the time at which to ask a server outside again that is not ready: after one minute, two, four, at most an hour.
 * @param asked the milliseconds that the server asks to wait; null: it does not say
 * @param firstMs the first pause
 */
export function patientAttemptAt(
  attempts: number,
  nowMs: number,
  asked: number | null = null,
  firstMs = MINUTE_MS,
): string {
  const pause = asked ?? firstMs * 2 ** Math.min(attempts - 1, 20)
  return timestamp(nowMs + Math.min(LONGEST_PATIENCE_MS, pause))
}
