import pino from 'pino'
import type { App } from '../../src/app/create-app.ts'
import { forgetCopies } from '../../src/app/forget-copies.ts'
import { openErasures } from '../../src/app/open-erasures.ts'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import { applyRetention } from '../../src/privacy/apply-retention.ts'
import { createRedactors } from '../../src/privacy/redactors.ts'
import { startRedactionWork } from '../../src/redaction/redaction-work.ts'
import { placesInDatabase } from './places-in-database.ts'

/**
 * Applies every agent's retention, as the service does once an hour.
 * @param redactionBatch the rows of a step
 */
export async function applyRetentionAt(
  { app }: { app: Pick<App, 'foundation'> },
  now: number,
  signal?: AbortSignal,
  redactionBatch = 2,
): Promise<void> {
  const { foundation } = app
  const { database, box } = foundation
  const logger = pino({ level: 'silent' })
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
  const { redactorFor } = createRedactors({
    work: startRedactionWork(),
    key: 'key',
    box,
    outbound,
    logger,
    installation: { url: null, apiKey: null },
  })
  const { db, engine } = database
  const erasures = await openErasures({ ...foundation, clock: () => now })
  return applyRetention(
    {
      ...{ db, engine, clock: () => now, logger, redactionBatch, forgetCopies, erasures, redactorFor },
      places: placesInDatabase(db),
    },
    signal,
  )
}
