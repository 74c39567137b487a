import { timestamp } from '../lib/clock.ts'

/** Work that fails this often is parked, because somebody has to look at it. */
export const MOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** A failure after which work is tried again, after the time that it names or after a growing pause. */
export class TryAgain extends Error {
  /** In milliseconds; null: the growing pause. */
  readonly after: number | null
  /** Stored with the work. */
  readonly code: string

  constructor(message: string, options: { after?: number | null; code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TryAgain'
    this.after = options.after ?? null
    this.code = options.code ?? this.name
  }
}

/** When work that failed is tried again. @param attempts how often it has been tried */
export function nextAttemptAt(error: Error, attempts: number, nowMs: number): string {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1))
  return timestamp(nowMs + ((error instanceof TryAgain ? error.after : null) ?? growing))
}

/** The code of a failure that may be stored. Its message may not: it can hold text of people. */
export function codeOf(error: Error): string {
  return error instanceof TryAgain ? error.code : error.name
}
