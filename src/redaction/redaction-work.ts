import { availableParallelism } from 'node:os'
import { takeTurns } from '../lib/pacing/take-turns.ts'
import { openThreads, TaskTooSlow, type Threads } from '../lib/pacing/threads.ts'
import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import { redactionTasks } from './redaction-tasks.ts'

/** Runs the tasks of redaction so that none of them blocks the event loop for long. */
export type RedactionWork = Pick<Threads<typeof redactionTasks>, 'run' | 'close'>

/**
 * The number of characters from which on a text goes to another thread. Even a hostile text that is shorter takes only
 * a few milliseconds.
 */
export const LONG = 32_768
const MOST_THREADS = 3
/** The longest time for one long value, many times what the worst text of the largest size takes. */
const LONGEST_MS = 60_000

type Tasks = typeof redactionTasks
const tasks: { [Name in keyof Tasks]: (...args: Parameters<Tasks[Name]>) => ReturnType<Tasks[Name]> } =
  redactionTasks

/**
 * Starts the work. Short texts are redacted in this thread: passing them to another costs more than redacting most of
 * them. A value that takes a thread too long to anonymize is scrubbed: nothing personal is left for want of time.
 */
export function startRedactionWork(longestMs = LONGEST_MS): RedactionWork {
  // Builds the tables of all recognizers and reads the tagger's model now, rather than during the first request.
  redactionTasks.typesIn('', {})
  // One thread more than a team may have stays free for the others.
  const most = Math.max(2, Math.min(MOST_THREADS, availableParallelism()))
  const module = new URL('./redaction-thread', import.meta.url)
  const threads = openThreads<Tasks>(module, { most, ofTeam: most - 1, milliseconds: longestMs })
  const scrubbing = openThreads<Tasks>(module, { most: 1, ofTeam: 1 })
  const pause = takeTurns()
  const here = turnsByTeam(1)
  return {
    async run(team, name, ...args) {
      if (args.some((arg) => typeof arg === 'string' && arg.length > LONG)) {
        const done = threads.run(team, name, ...args)
        if (name !== 'anonymize') return done
        const [kind, stored, key] = args as Parameters<Tasks['anonymize']>
        return done.catch((error: unknown) => {
          if (!(error instanceof TaskTooSlow)) throw error
          return scrubbing.run(team, 'scrub', kind, stored, key) as typeof done
        })
      }
      using _place = await here.take(team)
      await pause()
      return tasks[name](...args)
    },
    async close() {
      await Promise.all([threads.close(), scrubbing.close()])
    },
  }
}
