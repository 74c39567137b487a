import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Database } from '../storage/engine.ts'
import { LeaseLost } from './lease.ts'
import { type LookLoopOptions, lookLoop } from './look-loop.ts'

/** One kind of background work: what there is to do, and how one piece of it is done. */
export interface Policy<Task>
  extends Pick<LookLoopOptions, 'name' | 'topics' | 'frequentTopics' | 'everyMs'> {
  /** How many pieces a process works at once. */
  atOnce: number
  /** Claims what may be worked now, so many pieces at most. */
  claim(limit: number): Promise<Task[]>
  /** Works one piece and settles it. The signal fires when the process cannot wait any longer. */
  work(task: Task, signal: AbortSignal): Promise<void>
  /** When the next piece may be worked, for work that waits for a time. */
  nextDue?(): Promise<string | null>
}

export interface WorkDependencies {
  database: Pick<Database, 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
}

/** The work of one policy in this process. */
export interface RunningWork {
  start(): void
  /** Claims nothing more and waits for what is under way, which is asked to end after so many milliseconds. */
  stop(limitMs: number): Promise<void>
  /** How many pieces are being worked. */
  running(): number
}

/** A place whose work failed is given to the next piece after this long: what always fails costs little. */
const REST_MS = 1000

/** Does the work of a policy: looks for it, claims it and works as many pieces at once as the policy says. */
export function runWork<Task>(
  policy: Policy<Task>,
  { database: { wakeUps }, clock, logger }: WorkDependencies,
): RunningWork {
  const { name, atOnce } = policy
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const stopped = new AbortController()
  /** Whether more may wait than there was room for. */
  let mayWaitMore = false
  const looks = lookLoop({ ...policy, wakeUps, logger }, claim)

  async function claim(): Promise<number | undefined> {
    const limit = atOnce - running.size
    mayWaitMore = true
    if (limit <= 0) return
    const tasks = await policy.claim(limit)
    mayWaitMore = tasks.length === limit
    for (const task of tasks) begin(task)
    if (mayWaitMore || !policy.nextDue) return
    const due = await policy.nextDue()
    if (due !== null) return Math.max(1, Date.parse(due) - clock())
  }

  function begin(task: Task): void {
    const working = policy
      .work(task, stopped.signal)
      .catch(restAfter)
      .finally(() => {
        running.delete(working)
        if (mayWaitMore) looks.lookSoon()
      })
    running.add(working)
  }

  async function restAfter(error: Error): Promise<void> {
    if (error instanceof LeaseLost || stopped.signal.aborted) return
    logger.error({ error: describeFailure(error) }, `${name} were left`)
    await wait(REST_MS, undefined, { signal: stopping.signal }).catch(() => {})
  }

  return {
    start: looks.start,
    async stop(limitMs) {
      stopping.abort()
      const impatient = setTimeout(() => stopped.abort(), limitMs)
      await looks.stop()
      await Promise.all(running)
      clearTimeout(impatient)
    },
    running: () => running.size,
  }
}
