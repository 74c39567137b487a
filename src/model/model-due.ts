import { patientAttemptAt } from '../lib/pacing/patience.ts'
import { ModelError } from './model.ts'

/** Statuses below 500 that say something of the server or its settings, not of what it was asked. */
const OF_SERVER = new Set([401, 402, 403, 404, 408, 429])

/** Returns when to ask a model again that is away; null for a failure that the request itself may cause. */
export function modelDue(error: Error, attempts: number, nowMs: number): string | null {
  if (!(error instanceof ModelError)) return null
  const { reason, isContextExceeded, retryAfterMs } = error
  const status = error.status ?? 500
  const isOfRequest = reason === 'protocol' || (status < 500 && !OF_SERVER.has(status)) || isContextExceeded
  return isOfRequest ? null : patientAttemptAt(attempts, nowMs, retryAfterMs)
}
