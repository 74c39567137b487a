import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { KnowledgeCalibrationsRow } from '../tables.ts'
import { CALIBRATIONS, calibrationQueue, settleCalibration } from './calibration-store.ts'
import { measureThreshold } from './measure-threshold.ts'

/** The maximum share of time that measuring takes while documents keep changing, and the shortest pause. */
const SHARE = 1 / 20
const SHORTEST_PAUSE_MS = 1000

/** Measures the confidence that an agent's answers need, each time its documents have changed. */
export function runCalibration(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  return runQueue<KnowledgeCalibrationsRow>(
    {
      name: 'calibrations',
      queue: calibrationQueue,
      frequentTopics: [CALIBRATIONS],
      atOnce: 4,
      async work(row, lease) {
        const startedMs = performance.now()
        const measured = await measureThreshold(db, row.agent_id, lease.signal)
        const pauseMs = Math.max(SHORTEST_PAUSE_MS, (performance.now() - startedMs) / SHARE)
        await db.transaction().execute(async (db) => {
          await calibrationQueue.end(db, row)
          const nowMs = clock()
          const at = timestamp(nowMs)
          await settleCalibration(db, row, { ...measured, at }, timestamp(nowMs + Math.round(pauseMs)))
        })
      },
      raise,
      about: ({ agent_id }) => ({ agent_id }),
    },
    dependencies,
  )
}
