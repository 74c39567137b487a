import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../agents/agent.ts'
import { redactCompletions, type ValueRedactor } from '../chat/redact-completions.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { RedactionMode, Tables } from '../storage/tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  redactionBatch: number
  redactorFor: (mode: RedactionMode, agent: Agent) => ValueRedactor
}

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/**
 * Redacts what is older than each agent's `retention` allows, at the start and every hour, batch by batch. Several
 * replicas may do it at once: what one has redacted the others leave.
 */
export function applyRetention(dependencies: Dependencies) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  async function applyToAll(): Promise<void> {
    for (const agent of await listAllAgents(dependencies.db)) {
      try {
        await applyTo(agent)
      } catch (error) {
        // The next hour tries again, and the other agents are not held up.
        dependencies.logger.warn({ agent_id: agent.id, error: (error as Error).name }, 'retention failed')
      }
    }
  }

  async function applyTo(agent: Agent): Promise<void> {
    const { db, engine, clock, redactionBatch, redactorFor } = dependencies
    const { retention } = agent.settings
    if (!retention) return
    const scope = { before: timestamp(clock() - retention.days * DAY_MS) }
    const redactor = redactorFor(retention.mode, agent)
    for (let waiting = 1; waiting > 0 && !stopping; ) {
      const now = timestamp(clock())
      waiting = (await redactCompletions(db, engine, agent.id, scope, redactor, redactionBatch, now))
        .remaining
    }
  }

  const run = () => {
    running = running.then(applyToAll).catch((error: Error) => {
      dependencies.logger.warn({ error: error.name }, 'retention failed')
    })
    return running
  }
  return {
    /** Applies it now; the tests call it with a clock of their own. */
    run,
    start() {
      void run()
      timer = setInterval(run, HOUR_MS)
      timer.unref()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await running
    },
  }
}
