import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from './engine.ts'

/** A database that starts anew, or another machine that takes its place, is there after about so long. */
const PAUSES_MS = [50, 500, 2000]

/**
 * Stores what was long in the making and cannot be had again: a database that is away for a moment is asked once more.
 * @param work a whole transaction, that does nothing when it has been committed without our knowing
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
