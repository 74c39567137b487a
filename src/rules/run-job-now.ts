import { jobOfResponse } from './job-of-response.ts'
import { type JobDependencies, runJob } from './run-job.ts'
import { jobQueue } from './store.ts'
import type { AutomationJobRow } from './tables.ts'

/**
 * Runs the automations of a response for a caller that has claimed their job and waits for them.
 * @param dependencies their clock may be any; the lease uses the machine's clock
 */
export async function runJobNow(dependencies: JobDependencies, job: AutomationJobRow): Promise<void> {
  const nothingStops = new AbortController().signal
  using lease = jobQueue.take(dependencies.db, job, Date.now, nothingStops)
  await runJob(dependencies, jobOfResponse(job), lease)
}
