import { setTimeout as wait } from 'node:timers/promises'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Engine } from './engine.ts'

/** Pauses that add up to about the time a database takes to restart, or another machine to take its place. */
const PAUSES_MS = [50, 500, 2000]

/**
 * Repeats work that must not be lost because the database is away for a moment.
 * @param work only reads, or is a whole transaction that does nothing when an earlier attempt was committed unnoticed
 */
export async function keepTrying<T>(
  engine: Pick<Engine, 'isUnavailable'>,
  work: () => Promise<T>,
): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!engine.isUnavailable(error)) throw error
    }
    await wait(pause)
  }
  return work()
}

const LOOK_EVERY_MS = 1000

/** Runs start-up work, either until the database is available, as `untilAvailable` does, or once. */
export type Insist = <T>(
  engine: Pick<Engine, 'isUnavailable' | 'isFull'>,
  work: () => Promise<T>,
) => Promise<T>

export const once: Insist = (_engine, work) => work()

/**
 * Runs work without which Parley cannot start, and waits for the database for as long as it is away.
 * @param stopped ends the waiting with an AbortError
 */
export function untilAvailable(
  logger: { warn(about: { error: FailureDescription }, message: string): void },
  stopped: AbortSignal,
): Insist {
  return async (engine, work) => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!engine.isUnavailable(error)) throw error
        const why = engine.isFull(error)
          ? "the database's disk is full: waiting for room"
          : 'the database cannot be reached: waiting for it'
        logger.warn({ error: describeFailure(error) }, why)
      }
      await wait(LOOK_EVERY_MS, undefined, { signal: stopped })
    }
  }
}
