import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../agents/agent.ts'
import type { FilePlaces } from '../files/places/file-place.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Erasures } from '../receipts/erasures.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { ForgetCopies } from './forget-copies.ts'
import { redactCompletions } from './redact-completions.ts'
import type { RedactorFor } from './redactors.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  redactionBatch: number
  places: FilePlaces
  forgetCopies: ForgetCopies
  erasures: Erasures
  redactorFor: RedactorFor
}

/**
 * Redacts texts that are older than each agent's `retention` allows, batch by batch. Several replicas may do so at
 * once: each leaves out what another has redacted.
 * @param signal asks to end before the next batch
 */
export async function applyRetention(dependencies: Dependencies, signal?: AbortSignal): Promise<void> {
  for (const agent of await listAllAgents(dependencies.db)) {
    try {
      await applyTo(dependencies, agent, signal)
    } catch (error) {
      // The other agents go on, and the next hour tries again.
      dependencies.logger.warn({ agent_id: agent.id, error: describeFailure(error) }, 'retention failed')
    }
  }
}

async function applyTo(
  dependencies: Dependencies,
  agent: Agent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { clock, redactorFor } = dependencies
  const { retention } = agent.settings
  if (!retention) return
  const scope = { before: timestamp(clock() - retention.days * DAY_MS) }
  const redactor = redactorFor(retention.mode, agent)
  for (let waiting = 1; waiting > 0 && !signal?.aborted; ) {
    const request = { teamId: agent.teamId, agentId: agent.id, scope, redactor, now: timestamp(clock()) }
    waiting = (await redactCompletions(dependencies, request)).remaining
  }
}
