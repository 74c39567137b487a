import pino from 'pino'
import { forgetCopies } from '../../src/app/forget-copies.ts'
import { openErasures } from '../../src/app/open-erasures.ts'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import { applyRetention } from '../../src/privacy/apply-retention.ts'
import { createRedactors } from '../../src/privacy/redactors.ts'
import { startRedactionWork } from '../../src/redaction/redaction-work.ts'
import type { TestApp } from './app.ts'

/** Applies every agent's retention, as the service does once an hour. */
export async function applyRetentionAt({ app }: TestApp, now: number, signal?: AbortSignal): Promise<void> {
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
    { db, engine, clock: () => now, logger, redactionBatch: 2, forgetCopies, erasures, redactorFor },
    signal,
  )
}
