import type { Logger } from 'pino'
import type { Foundation } from '../foundation.ts'
import { runTests } from '../runs/run-tests.ts'
import type { RunningWork } from '../work/run-work.ts'
import { createSuspicion, type Suspicion } from '../work/suspicion.ts'
import { buildParts, type Parts } from './parts.ts'

/** Prepares the work of test runs. @param only the one run that is worked; null for any */
export function workOfRuns(parts: Parts, suspicion: Suspicion, only: number | null = null): RunningWork {
  const { database, clock, logger, box, turns } = parts
  const { evaluators, rulesOf, customerModelFor, passagesForAnswer } = parts
  return runTests(
    {
      ...turns,
      database,
      clock,
      logger,
      suspicion,
      box,
      evaluators,
      rulesOf,
      customerModelFor,
      search: passagesForAnswer,
    },
    only,
  )
}

/** Prepares a worker of one test run in a process that does not serve. */
export async function openRunWorker(foundation: Foundation, logger: Logger) {
  const parts = await buildParts(foundation, logger, () => '')
  let work: RunningWork | undefined
  return {
    start(runId: number): void {
      work = workOfRuns(parts, createSuspicion(), runId)
      work.start()
    },
    async close(): Promise<void> {
      await work?.stop(0)
      await parts.meter.close()
      await parts.redactionWork.close()
      await parts.outbound.close()
    },
  }
}
