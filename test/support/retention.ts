import pino from 'pino'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import { forgetBodies } from '../../src/notifications/forget-bodies.ts'
import { applyRetention } from '../../src/privacy/apply-retention.ts'
import { createRedactors } from '../../src/privacy/redactors.ts'
import { startRedactionWork } from '../../src/redaction/redaction-work.ts'
import type { TestApp } from './app.ts'

/** Applies every agent's retention, as the service does once an hour. */
export function applyRetentionAt({ app }: TestApp, now: number, signal?: AbortSignal): Promise<void> {
  const { database, box } = app.foundation
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
  return applyRetention(
    { db, engine, clock: () => now, logger, redactionBatch: 2, forgetCopies: forgetBodies, redactorFor },
    signal,
  )
}
