import type { FastifyBaseLogger } from 'fastify'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { TraceContext } from '../lib/trace-context.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import { type JobDependencies, leaseUntil, runJob } from './run-job.ts'
import { claimJobs } from './store.ts'

export interface AutomationDependencies extends Omit<JobDependencies, 'db'> {
  database: Pick<Database, 'db' | 'presence'>
  logger: FastifyBaseLogger
}

const LOOK_EVERY_MS = 100
const AT_ONCE = 20

/**
 * Runs automations after their response. Each step is stored with what it does: an action in the database happens
 * exactly once, a webhook is called at most once, and what a dead process left is taken up by the next.
 */
export function runAutomations(dependencies: AutomationDependencies) {
  const { database, clock, logger } = dependencies
  const { db, presence } = database
  const running = new Set<Promise<void>>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let isOn = false
  /** Whether more jobs may wait than there was room for. */
  let isFull = false

  function look(): void {
    if (!isOn) return
    looking ??= claim().finally(() => {
      looking = null
      if (!isOn) return
      clearTimeout(timer)
      timer = setTimeout(look, LOOK_EVERY_MS)
      timer.unref()
    })
  }

  async function claim(): Promise<void> {
    try {
      const limit = AT_ONCE - running.size
      if (limit <= 0) return
      const now = clock()
      const jobs = await claimJobs(db, {
        holder: presence.id,
        now: timestamp(now),
        until: leaseUntil(now),
        limit,
      })
      isFull = jobs.length === limit
      for (const job of jobs) {
        // What its prompt was asked in goes on with it.
        const { trace = null } = JSON.parse(job.facts) as { trace?: TraceContext | null }
        const task = inTrace(trace, () => runJob({ ...dependencies, db }, job, stopped.signal))
          .catch((error: Error) => {
            if (!stopped.signal.aborted)
              logger.warn({ error: describeFailure(error) }, 'automations of a response were left')
          })
          .finally(() => {
            running.delete(task)
            if (isFull && running.size <= AT_ONCE / 2) look()
          })
        running.add(task)
      }
    } catch (error) {
      logger.warn({ error: describeFailure(error) }, 'automations cannot be claimed')
    }
  }

  return {
    start() {
      isOn = true
      look()
    },
    async stop() {
      isOn = false
      clearTimeout(timer)
      stopped.abort()
      await looking
      await Promise.all(running)
    },
  }
}
