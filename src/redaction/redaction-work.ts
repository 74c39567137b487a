import { availableParallelism } from 'node:os'
import { queues } from '../lib/queues.ts'
import { takeTurns } from '../lib/take-turns.ts'
import { openThreads, type Threads } from '../lib/threads.ts'
import { redactionTasks } from './redaction-tasks.ts'

/** Does the tasks of redaction so that none of them holds the event loop for long. */
export type RedactionWork = Threads<typeof redactionTasks>

/** Characters from which on a text goes to another thread: even a hostile one that is shorter takes a few milliseconds. */
const LONG = 32_768
const MOST_THREADS = 2

type Tasks = typeof redactionTasks
const tasks: { [Name in keyof Tasks]: (...args: Parameters<Tasks[Name]>) => ReturnType<Tasks[Name]> } =
  redactionTasks

/** Short texts are worked on in this thread: the way to another one costs more than most of them. */
export function startRedactionWork(): RedactionWork {
  // The tables of all recognizers are built here, not while somebody waits.
  redactionTasks.typesIn('', {})
  const most = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  const threads = openThreads<Tasks>(new URL('./redaction-thread', import.meta.url), most)
  const pause = takeTurns()
  const inTurn = queues<'here'>()
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
