import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../agents/agent.ts'
import type { FilePlaces } from '../files/places/file-place.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { workEach } from '../lib/pacing/work-each.ts'
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
 * Redacts texts that are older than each agent's `retention` allows: a batch of each agent in turn, so that none waits
 * for a long backlog of another. Several replicas may do so at once: each leaves out what another has redacted.
 * @param signal asks to end before the next batch
 */
export async function applyRetention(dependencies: Dependencies, signal?: AbortSignal): Promise<void> {
  const agents = await listAllAgents(dependencies.db)
  await workEach(agents, (agent) => redactNext(dependencies, agent), {
    signal,
    // The next hour tries again.
    failed: ({ id }, error) =>
      dependencies.logger.warn({ agent_id: id, error: describeFailure(error) }, 'retention failed'),
  })
}

/** Redacts an agent's next batch. @returns true if more is left */
async function redactNext(dependencies: Dependencies, agent: Agent): Promise<boolean> {
  const { clock, redactorFor } = dependencies
  const { retention } = agent.settings
  if (!retention) return false
  const now = clock()
  const { remaining } = await redactCompletions(dependencies, {
    teamId: agent.teamId,
    agentId: agent.id,
    scope: { before: timestamp(now - retention.days * DAY_MS) },
    redactor: redactorFor(retention.mode, agent),
    now: timestamp(now),
  })
  return remaining > 0
}
