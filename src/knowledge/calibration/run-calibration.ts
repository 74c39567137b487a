import type { FastifyBaseLogger } from 'fastify'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import type { Database } from '../../storage/opened-database.ts'
import { nextAttemptAt } from '../../work/retry.ts'
import { type RunningWork, runWork } from '../../work/run-work.ts'
import type { KnowledgeCalibrationsRow } from '../tables.ts'
import {
  CALIBRATIONS,
  calibrationLeases,
  claimCalibrations,
  nextCalibrationDue,
  postponeCalibration,
  settleCalibration,
} from './calibration-store.ts'
import { measureThreshold } from './measure-threshold.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
}

/** While documents change all the time, measuring takes at most this share of it, and this is the shortest pause. */
const SHARE = 1 / 20
const SHORTEST_PAUSE_MS = 1000

/** Measures the confidence that answers of an agent need, each time its documents have changed. */
export function runCalibration({ database, clock, logger }: Dependencies): RunningWork {
  const { db, presence } = database

  async function work(row: KnowledgeCalibrationsRow, asked: AbortSignal): Promise<void> {
    using lease = calibrationLeases.take(db, row, clock, asked)
    try {
      const startedMs = performance.now()
      const measured = await measureThreshold(db, row.agent_id, lease.signal)
      const pauseMs = Math.max(SHORTEST_PAUSE_MS, (performance.now() - startedMs) / SHARE)
      await db.transaction().execute(async (db) => {
        await lease.free(db)
        const nowMs = clock()
        const at = timestamp(nowMs)
        await settleCalibration(db, row, { ...measured, at }, timestamp(nowMs + Math.round(pauseMs)))
      })
    } catch (error) {
      if (lease.signal.aborted) throw error
      logger.warn(
        { agent_id: row.agent_id, error: describeFailure(error as Error) },
        'the confidence that answers need could not be measured',
      )
      await db.transaction().execute(async (db) => {
        await lease.free(db)
        await postponeCalibration(
          db,
          row.id,
          nextAttemptAt(error as Error, Math.max(1, row.attempts), clock()),
        )
      })
    }
  }

  return runWork<KnowledgeCalibrationsRow>(
    {
      name: 'calibrations',
      frequentTopics: [CALIBRATIONS],
      atOnce: 1,
      claim: (limit) => claimCalibrations(db, { holder: presence.id, nowMs: clock(), limit }),
      nextDue: () => nextCalibrationDue(db),
      work: (row, stop) => work(row, stop.asked),
      about: ({ agent_id }) => ({ agent_id }),
    },
    { database, clock, logger },
  )
}
