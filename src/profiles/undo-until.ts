import { DAY_MS } from '../lib/clock.ts'

/** The time for which a merge can be undone. */
const UNDO_MS = 30 * DAY_MS

/** Returns the time until which a merge can be undone; null: it cannot, or there was none. */
export function undoUntil(mergedAt: string | null, nowMs: number): number | null {
  const until = mergedAt === null ? 0 : Date.parse(mergedAt) + UNDO_MS
  return until > nowMs ? until : null
}
