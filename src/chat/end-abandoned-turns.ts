import type { FastifyBaseLogger } from 'fastify'
import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/engine.ts'
import { endCompletion, selectAbandoned } from './store.ts'

/** Longer than any model call may take: a turn that is open after this has lost its process. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000
const LOOK_EVERY_MS = 60_000

/**
 * Ends turns whose process died between prompt and answer, so that no prompt looks as if its answer were still
 * coming. With SQLite there is one process, so at its start every open turn is one of these.
 */
export function endAbandonedTurns({
  database,
  clock,
  logger,
}: {
  database: Database
  clock: Clock
  logger: FastifyBaseLogger
}) {
  const { db, engine } = database
  let timer: NodeJS.Timeout | undefined

  async function endBefore(time: number): Promise<void> {
    const answered_at = timestamp(clock())
    for (const turn of await selectAbandoned(db, timestamp(time))) {
      await db.transaction().execute(async (db) => {
        const [ended] = await endCompletion(db, {
          id: turn.id,
          model: turn.model,
          finish_reason: 'error',
          error_code: 'model_failed',
          answered_at,
          agent_paused: 0,
          citations: null,
          ctas: null,
          usage: null,
        })
        if (!ended) return
        await raise(db, {
          key: 'error',
          agent_id: turn.agent_id,
          occurred_at: answered_at,
          conversation_id: turn.conversation_id,
          completion_id: turn.id,
          data: { code: 'model_failed', reason: 'abandoned' },
        })
      })
    }
  }

  return {
    async start() {
      await endBefore(engine.kind === 'sqlite' ? clock() : clock() - ABANDONED_AFTER_MS)
      timer = setInterval(() => {
        endBefore(clock() - ABANDONED_AFTER_MS).catch((error: Error) =>
          logger.warn({ error: error.name }, 'abandoned turns'),
        )
      }, LOOK_EVERY_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
