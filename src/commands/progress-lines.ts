import type { CopyProgress } from '../storage/copy/copy-tables.ts'

const EVERY_MS = 2000

/** Returns a function that writes progress to the standard error, a line every two seconds. */
export function progressLines(): (what: string, progress: CopyProgress) => void {
  let next = performance.now() + EVERY_MS
  return (what, { table, done, of }) => {
    if (performance.now() < next) return
    next = performance.now() + EVERY_MS
    process.stderr.write(`${what}: ${table}, ${done} of ${of}\n`)
  }
}
