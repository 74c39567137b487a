/** Returns the time since a reading of `performance.now()`, in milliseconds to a tenth. */
export function sinceMs(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10
}
