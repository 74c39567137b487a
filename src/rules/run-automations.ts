import type { FastifyBaseLogger } from 'fastify'
import type { TraceContext } from '../lib/trace-context.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import { type RunningWork, runWork } from '../work/run-work.ts'
import { type JobDependencies, runJob } from './run-job.ts'
import { claimJobs, jobLeases } from './store.ts'
import type { AutomationJobRow } from './tables.ts'
import { AUTOMATIONS } from './topics.ts'

export interface AutomationDependencies extends Omit<JobDependencies, 'db'> {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps'>
  logger: FastifyBaseLogger
}

const JOBS_AT_ONCE = 20

/**
 * Runs automations after their response. Each step is stored with what it does: an action in the database happens
 * exactly once, a webhook is called at most once, and what a dead process left is taken up by the next.
 */
export function runAutomations(dependencies: AutomationDependencies): RunningWork {
  const { database, clock } = dependencies
  const { db, presence } = database
  return runWork<AutomationJobRow>(
    {
      name: 'automations',
      frequentTopics: [AUTOMATIONS],
      atOnce: JOBS_AT_ONCE,
      claim: (limit) => claimJobs(db, { holder: presence.id, now: clock(), limit }),
      async work(job, stop) {
        using lease = jobLeases.take(db, job, clock, stop.asked)
        // What its prompt was asked in goes on with it.
        const { trace = null } = JSON.parse(job.facts) as { trace?: TraceContext | null }
        await inTrace(trace, () => runJob({ ...dependencies, db }, job, lease))
      },
      about: ({ completion_id }) => ({ completion_id }),
    },
    dependencies,
  )
}
