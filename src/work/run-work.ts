import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { forAgent, forNoAgent } from '../lib/agent-scope.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Begin } from '../lib/pacing/one-by-one.ts'
import type { Database } from '../storage/opened-database.ts'
import { takingAlong } from '../storage/written-along.ts'
import { LeaseLost } from './lease.ts'
import { type LookLoopOptions, lookLoop } from './look-loop.ts'

/** One kind of background work: how to find pieces of it, and how to do one. */
export interface Policy<Task>
  extends Pick<LookLoopOptions, 'name' | 'topics' | 'frequentTopics' | 'everyMs'> {
  /** The most pieces that a process works at once; no limit by default. */
  atOnce?: number
  /**
   * Claims pieces that may be worked now, at most `limit`.
   * @param underWay the pieces that are being worked. One of them may be returned again: it is not begun twice, but when
   * it ends there is another look, because it may have missed work that came late.
   */
  claim(limit: number, underWay: Iterable<Task>): Promise<Task[]>
  /** True while more work may wait than the last claim returned: then there is another look when a piece ends. */
  hasMore?(): boolean
  /** Works one piece and settles it. */
  work(task: Task, stop: Stop): Promise<void>
  /** Returns the time at which the next piece becomes due, for work that waits for a time. */
  nextDue?(): Promise<string | null>
  /** Returns the ids of a piece for the log. With an `agent_id` its work is for this agent, else for none. */
  about?(task: Task): Ids
}

/** The ids of a piece of work. */
export type Ids = { agent_id?: number } & Record<string, number | string>

/** The signals that tell work that its process ends. */
export interface Stop {
  /** Fires when the process stops: work should begin nothing more. */
  readonly asked: AbortSignal
  /** Fires when the process no longer waits for work under way. */
  readonly forced: AbortSignal
}

export interface WorkDependencies {
  database: Pick<Database, 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
}

/** The work of one policy in this process. */
export interface RunningWork {
  /** @param inTurn begins the first look for work */
  start(inTurn?: Begin): void
  /** Claims nothing more and waits for the work under way. After `limitMs` that work is told to stop. */
  stop(limitMs: number): Promise<void>
  /** Counts the pieces that are being worked. */
  running(): number
}

/** Runs several works as one. */
export function runTogether(works: readonly RunningWork[]): RunningWork {
  return {
    start(inTurn) {
      for (const work of works) work.start(inTurn)
    },
    async stop(limitMs) {
      await Promise.all(works.map((work) => work.stop(limitMs)))
    },
    running: () => works.reduce((sum, work) => sum + work.running(), 0),
  }
}

/** The time after a failure for which its place is unused, so that work that always fails costs little. */
const REST_MS = 1000

/** Does the work of a policy: looks for it, claims it, and works as many pieces at once as the policy allows. */
export function runWork<Task>(
  policy: Policy<Task>,
  { database: { wakeUps }, clock, logger }: WorkDependencies,
): RunningWork {
  const { name, atOnce = Number.POSITIVE_INFINITY } = policy
  const running = new Map<Task, Promise<void>>()
  const asked = new AbortController()
  const forced = new AbortController()
  const stop = { asked: asked.signal, forced: forced.signal }
  /** True while there may be more work than was claimed. */
  let mayWaitMore = false
  const looks = lookLoop({ ...policy, wakeUps, logger }, claim, untilNext)

  async function claim(): Promise<void> {
    const limit = atOnce - running.size
    mayWaitMore = true
    if (limit <= 0) return
    const tasks = await policy.claim(limit, running.keys())
    const fresh = tasks.filter((task) => !running.has(task))
    mayWaitMore = tasks.length === limit || fresh.length < tasks.length || (policy.hasMore?.() ?? false)
    for (const task of fresh) begin(task)
  }

  async function untilNext(): Promise<number | undefined> {
    const due = mayWaitMore ? null : await policy.nextDue?.()
    return due ? Math.max(1, Date.parse(due) - clock()) : undefined
  }

  function begin(task: Task): void {
    const working = inScopeOf(policy.about?.(task), () => takingAlong(() => policy.work(task, stop)))
      .catch((error: Error) => restAfter(error, task))
      .finally(() => {
        running.delete(task)
        if (mayWaitMore) looks.lookSoon()
      })
    running.set(task, working)
  }

  async function restAfter(error: Error, task: Task): Promise<void> {
    // Another worker continues it.
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

/** Runs the work of a piece for its agent. */
export function inScopeOf<T>(about: Ids | undefined, work: () => T): T {
  return about?.agent_id === undefined ? forNoAgent(work) : forAgent(about.agent_id, work)
}
