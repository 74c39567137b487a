/** The time for which a merge can be undone. */
const UNDO_MS = 30 * 24 * 3_600_000

/** Returns the time until which a merge can be undone; null: it cannot, or there was none. */
export function undoUntil(mergedAt: string | null, nowMs: number): number | null {
  const until = mergedAt === null ? 0 : Date.parse(mergedAt) + UNDO_MS
  return until > nowMs ? until : null
}
