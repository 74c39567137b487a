import { setTimeout as wait } from 'node:timers/promises'
import type { DatabasePlace } from '../database.ts'
import type { Database } from '../opened-database.ts'
import { beatsOfProcesses, livingVersions } from '../presence.ts'
import { lockDataDir, ServedError } from '../sqlite/serving-lock.ts'

/** The time in which a process that is alive counts up (`postgres-presence.ts`). */
const BEATS_MS = 1500

/** Returns the beats of all processes when none is alive. @throws Error if one is */
export async function beatsWhenStill({ db, engine }: Database): Promise<string> {
  const beats = await beatsOfProcesses(db)
  // A lock has kept all others away.
  if (engine.isSingleProcess || (await livingVersions(db)).length === 0) return beats
  await wait(BEATS_MS)
  if ((await beatsOfProcesses(db)) === beats) return beats
  throw new Error('a service runs on the source: stop all its processes first')
}

/**
 * Returns a function that returns the beats of all processes on a source once they have ended, and null before. A folder
 * is then locked.
 * @param open gets the lock
 */
export function beatsOnceStill(
  { db, engine }: Database,
  from: DatabasePlace,
  open: AsyncDisposableStack,
): () => Promise<string | null> {
  if (engine.isSingleProcess)
    return async () => {
      try {
        open.use(lockDataDir(from.dataDir, 0))
        return beatsOfProcesses(db)
      } catch (error) {
        if (!(error instanceof ServedError)) throw error
        return null
      }
    }
  let [last, since] = ['', 0]
  return async () => {
    const beats = await beatsOfProcesses(db)
    if (beats !== last) [last, since] = [beats, performance.now()]
    return performance.now() - since > BEATS_MS ? beats : null
  }
}
