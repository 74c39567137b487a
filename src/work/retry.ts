import { timestamp } from '../lib/clock.ts'

/** Work that fails this often is parked, because a person has to look at it. */
export const MOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** A failure after which work is tried again, after the time that the failure gives or after a growing pause. */
export class TryAgain extends Error {
  /** Milliseconds; null for the growing pause. */
  readonly after: number | null
  /** The code that is stored with the work. */
  readonly code: string

  constructor(message: string, options: { after?: number | null; code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TryAgain'
    this.after = options.after ?? null
    this.code = options.code ?? this.name
  }
}

/**
 * Returns the time of the next try of failed work.
 * @param after the milliseconds until then; null: as many as its failures ask for
 * @param attempts its failures so far
 */
export function nextAttemptAt(after: number | null, attempts: number, nowMs: number): string {
  return timestamp(nowMs + (after ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1))))
}

/** Returns a code of a failure that may be stored. Its message may not: it can hold text of people. */
export function codeOf(error: Error): string {
  return error instanceof TryAgain ? error.code : error.name
}

/** A piece during which this many processes ended is parked. */
export const MOST_DEATHS = 5

/** Thrown for a piece during which the process ended each time: the piece may be the cause. */
export class ProcessEnded extends Error {
  constructor() {
    super('each process that worked it ended')
    this.name = REPLAYED.code
  }
}

/** The parked work that `rule` has tried again by itself: its code, and more attempts than any of it has. */
export const REPLAYED = { code: 'ProcessEnded', attemptsBelow: MOST_ATTEMPTS } as const

const FIRST_REPLAY_MS = 60_000

/** The fate of work that failed. */
interface Ruling {
  /** The time of the next try; null when there is no automatic one. */
  dueAt: string | null
  isParked: boolean
}

/**
 * Decides the fate of work that failed: it is tried again after a growing pause and parked after five failures. Work
 * that is parked only because processes ended is tried again automatically, after a longer pause.
 * @param attempts its failures so far
 */
export function rule(error: Error, attempts: number, nowMs: number): Ruling {
  const isLast = attempts >= MOST_ATTEMPTS
  if (error instanceof ProcessEnded)
    return { dueAt: isLast ? null : timestamp(nowMs + FIRST_REPLAY_MS * 5 ** (attempts - 1)), isParked: true }
  const after = error instanceof TryAgain ? error.after : null
  return { dueAt: isLast ? null : nextAttemptAt(after, attempts, nowMs), isParked: isLast }
}
