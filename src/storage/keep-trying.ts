import { setTimeout as wait } from 'node:timers/promises'
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
