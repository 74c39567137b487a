import { raise } from '../events/raise.ts'
import type { TraceContext } from '../lib/tracing/trace-context.ts'
import { inTrace } from '../lib/tracing/tracing.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { jobOfResponse } from './job-of-response.ts'
import { type JobDependencies, runJob } from './run-job.ts'
import { jobQueue, parkJob } from './store.ts'
import type { AutomationJobRow } from './tables.ts'
import { AUTOMATIONS } from './topics.ts'

export type AutomationDependencies = Omit<JobDependencies, 'db'> & QueueDependencies

const JOBS_AT_ONCE = 40

/**
 * Runs automations after their response. Each step is stored in one transaction with its effect, so an action in the
 * database happens exactly once. A webhook is called at most once. When a process dies, another one goes on with its
 * jobs.
 */
export function runAutomations(dependencies: AutomationDependencies): RunningWork {
  const { db } = dependencies.database
  return runQueue<AutomationJobRow>(
    {
      name: 'automations',
      queue: jobQueue,
      frequentTopics: [AUTOMATIONS],
      atOnce: JOBS_AT_ONCE,
      work(job, lease) {
        // The job goes on in the trace of its prompt.
        const { trace = null } = JSON.parse(job.facts) as { trace?: TraceContext | null }
        return inTrace(trace, () => runJob({ ...dependencies, db }, jobOfResponse(job), lease))
      },
      parked: parkJob,
      parkedAs: 'automations_parked',
      raise,
      about: ({ agent_id, completion_id, conversation_id }) => ({ agent_id, completion_id, conversation_id }),
    },
    dependencies,
  )
}
