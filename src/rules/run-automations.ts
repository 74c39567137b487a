import type { FastifyBaseLogger } from 'fastify'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { TraceContext } from '../lib/tracing/trace-context.ts'
import { inTrace } from '../lib/tracing/tracing.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Lease } from '../work/lease.ts'
import { codeOf, MOST_ATTEMPTS, nextAttemptAt } from '../work/retry.ts'
import { type RunningWork, runWork, type Stop } from '../work/run-work.ts'
import { type JobDependencies, runJob } from './run-job.ts'
import { claimJobs, jobLeases, parkJob, postponeJob } from './store.ts'
import type { AutomationJobRow } from './tables.ts'
import { AUTOMATIONS } from './topics.ts'

export interface AutomationDependencies extends Omit<JobDependencies, 'db'> {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps'>
  logger: FastifyBaseLogger
}

const JOBS_AT_ONCE = 20

/**
 * Runs automations after their response. Each step is stored in one transaction with its effect, so an action in the
 * database happens exactly once. A webhook is called at most once. When a process dies, another one goes on with its
 * jobs. A job that keeps failing is tried again after growing pauses, and then parked.
 */
export function runAutomations(dependencies: AutomationDependencies): RunningWork {
  const { database, clock, logger } = dependencies
  const { db, presence } = database

  async function workJob(job: AutomationJobRow, stop: Stop): Promise<void> {
    using lease = jobLeases.take(db, job, clock, stop.asked)
    try {
      if (job.attempts > MOST_ATTEMPTS) throw new Error('each attempt ended the process')
      // The job goes on in the trace of its prompt.
      const { trace = null } = JSON.parse(job.facts) as { trace?: TraceContext | null }
      await inTrace(trace, () => runJob({ ...dependencies, db }, job, lease))
    } catch (error) {
      // Another worker has the job, or will take it up because this process stops.
      if (lease.signal.aborted) throw error
      await settleFailure(job, lease, error as Error)
    }
  }

  async function settleFailure(job: AutomationJobRow, lease: Lease, failure: Error): Promise<void> {
    const { id, agent_id, completion_id, conversation_id, attempts } = job
    const isLast = attempts >= MOST_ATTEMPTS
    await db.transaction().execute(async (db) => {
      await lease.free(db)
      if (!isLast) {
        await postponeJob(db, { id, due_at: nextAttemptAt(failure, attempts, clock()) })
        return
      }
      await parkJob(db, { id })
      const data = { code: 'automations_parked', reason: codeOf(failure) }
      const context = { agent_id, completion_id, conversation_id, occurred_at: timestamp(clock()) }
      await raise(db, { ...context, key: 'error', data })
    })
    const about = { completion_id, conversation_id, attempt: attempts, error: describeFailure(failure) }
    logger.warn(about, isLast ? 'automations were parked' : 'automations failed')
  }

  return runWork<AutomationJobRow>(
    {
      name: 'automations',
      frequentTopics: [AUTOMATIONS],
      atOnce: JOBS_AT_ONCE,
      claim: (limit) => claimJobs(db, { holder: presence.id, nowMs: clock(), limit }),
      work: workJob,
      about: ({ completion_id }) => ({ completion_id }),
    },
    dependencies,
  )
}
