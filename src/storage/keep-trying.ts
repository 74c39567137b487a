import { setTimeout as wait } from 'node:timers/promises'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Engine } from './engine.ts'

/** A database that starts anew, or another machine that takes its place, is there after about so long. */
const PAUSES_MS = [50, 500, 2000]

/**
 * Does what must not be given up because the database is away for a moment, as when something would be lost with it.
 * @param work reads, or a whole transaction that does nothing when it has been committed without our knowing
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

/** Does some work of a start, as `untilAvailable` or once. */
export type Insist = <T>(engine: Pick<Engine, 'isUnavailable'>, work: () => Promise<T>) => Promise<T>

export const once: Insist = (_engine, work) => work()

/**
 * Does what a start cannot do without, however long the database is away.
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
        logger.warn({ error: describeFailure(error) }, 'the database cannot be reached: waiting for it')
      }
      await wait(LOOK_EVERY_MS, undefined, { signal: stopped })
    }
  }
}
