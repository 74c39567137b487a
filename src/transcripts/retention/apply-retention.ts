import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../../agents/agent.ts'
import { type Clock, DAY_MS, timestamp } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { redactCompletions } from '../redaction/redact-completions.ts'
import type { RedactorFor } from '../redaction/redactors.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  redactionBatch: number
  redactorFor: RedactorFor
}

/**
 * Redacts what is older than each agent's `retention` allows, batch by batch. Several replicas may do it at once: what
 * one has redacted the others leave.
 * @param signal asks to end before the next batch
 */
export async function applyRetention(dependencies: Dependencies, signal?: AbortSignal): Promise<void> {
  for (const agent of await listAllAgents(dependencies.db)) {
    try {
      await applyTo(dependencies, agent, signal)
    } catch (error) {
      // The next hour tries again, and the other agents are not held up.
      dependencies.logger.warn({ agent_id: agent.id, error: describeFailure(error) }, 'retention failed')
    }
  }
}

async function applyTo(
  { db, engine, clock, redactionBatch, redactorFor }: Dependencies,
  agent: Agent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { retention } = agent.settings
  if (!retention) return
  const scope = { before: timestamp(clock() - retention.days * DAY_MS) }
  const redactor = redactorFor(retention.mode, agent)
  for (let waiting = 1; waiting > 0 && !signal?.aborted; ) {
    const now = timestamp(clock())
    waiting = (await redactCompletions(db, engine, agent.id, scope, redactor, redactionBatch, now)).remaining
  }
}
