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
  /** How many pieces a process works at once; any number unless it says so. */
  atOnce?: number
  /** Claims what may be worked now, so many pieces at most. A piece that is under way already is not begun again. */
  claim(limit: number): Promise<Task[]>
  /** Works one piece and settles it. */
  work(task: Task, stop: Stop): Promise<void>
  /** When the next piece may be worked, for work that waits for a time. */
  nextDue?(): Promise<string | null>
  /** What a log says of a piece: its ids. */
  about?(task: Task): Record<string, number | string>
}

/** How work learns that its process ends. */
export interface Stop {
  /** Fires when nothing more should be begun. */
  readonly asked: AbortSignal
  /** Fires when the process waits no longer for what is under way. */
  readonly forced: AbortSignal
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
  const { name, atOnce = Number.POSITIVE_INFINITY } = policy
  const running = new Map<Task, Promise<void>>()
  const asked = new AbortController()
  const forced = new AbortController()
  const stop = { asked: asked.signal, forced: forced.signal }
  /** Whether more may wait than there was room for. */
  let mayWaitMore = false
  const looks = lookLoop({ ...policy, wakeUps, logger }, claim, untilNext)

  async function claim(): Promise<void> {
    const limit = atOnce - running.size
    mayWaitMore = true
    if (limit <= 0) return
    const tasks = await policy.claim(limit)
    const fresh = tasks.filter((task) => !running.has(task))
    // One that is under way may be about to end without having seen why it was claimed again.
    mayWaitMore = tasks.length === limit || fresh.length < tasks.length
    for (const task of fresh) begin(task)
  }

  async function untilNext(): Promise<number | undefined> {
    const due = mayWaitMore ? null : await policy.nextDue?.()
    return due ? Math.max(1, Date.parse(due) - clock()) : undefined
  }

  function begin(task: Task): void {
    const working = policy
      .work(task, stop)
      .catch((error: Error) => restAfter(error, task))
      .finally(() => {
        running.delete(task)
        if (mayWaitMore) looks.lookSoon()
      })
    running.set(task, working)
  }

  async function restAfter(error: Error, task: Task): Promise<void> {
    // Whatever was broken off is taken up by the next process.
    if (error instanceof LeaseLost || stop.asked.aborted) return
    logger.error({ ...policy.about?.(task), error: describeFailure(error) }, `${name} were left`)
    await wait(REST_MS, undefined, { signal: stop.asked }).catch(() => {})
  }

  return {
    start: looks.start,
    async stop(limitMs) {
      asked.abort()
      const impatient = setTimeout(() => forced.abort(), limitMs)
      await looks.stop()
      await Promise.all(running.values())
      clearTimeout(impatient)
    },
    running: () => running.size,
  }
}
