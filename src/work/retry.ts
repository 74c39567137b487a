import { timestamp } from '../lib/clock.ts'

/** After so many attempts work is parked: somebody has to look at it. */
export const MOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** A failure after which work is tried again, at the time that it names or after a growing pause. */
export class TryAgain extends Error {
  /** Milliseconds. */
  readonly after: number | null
  /** What is stored of it beside the work. */
  readonly code: string

  constructor(message: string, options: { after?: number | null; code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TryAgain'
    this.after = options.after ?? null
    this.code = options.code ?? this.name
  }
}

/** When work that failed is tried again. @param attempts how often it has been tried */
export function nextAttemptAt(error: Error, attempts: number, now: number): string {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1))
  return timestamp(now + ((error instanceof TryAgain ? error.after : null) ?? growing))
}

/** What may be stored of a failure: its kind, never its words. */
export function codeOf(error: Error): string {
  return error instanceof TryAgain ? error.code : error.name
}
