import { availableParallelism } from 'node:os'
import { atMostEach } from '../lib/pacing/at-most.ts'
import { takeTurns } from '../lib/pacing/take-turns.ts'
import { openThreads, type Threads } from '../lib/pacing/threads.ts'
import { redactionTasks } from './redaction-tasks.ts'

/** Runs the tasks of redaction so that none of them blocks the event loop for long. */
export type RedactionWork = Pick<Threads<typeof redactionTasks>, 'run' | 'close'>

/**
 * Texts of at least this many characters go to another thread. Even a hostile text that is shorter takes only a few
 * milliseconds.
 */
const LONG = 32_768
const MOST_THREADS = 2

type Tasks = typeof redactionTasks
const tasks: { [Name in keyof Tasks]: (...args: Parameters<Tasks[Name]>) => ReturnType<Tasks[Name]> } =
  redactionTasks

/** Short texts are redacted in this thread: passing them to another costs more than redacting most of them. */
export function startRedactionWork(): RedactionWork {
  // Builds the tables of all recognizers now, rather than during the first request.
  redactionTasks.typesIn('', {})
  const most = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  const threads = openThreads<Tasks>(new URL('./redaction-thread', import.meta.url), most)
  const pause = takeTurns()
  const inTurn = atMostEach<'here'>(1)
  return {
    run(name, ...args) {
      if (args.some((arg) => typeof arg === 'string' && arg.length > LONG)) return threads.run(name, ...args)
      return inTurn('here', async () => {
        await pause()
        return tasks[name](...args)
      })
    },
    close: () => threads.close(),
  }
}
