import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/engine.ts'
import { endCompletion, selectAbandoned } from './store.ts'

/** Longer than any model call may take: a turn that is open after this has lost its process. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000

interface Dependencies {
  database: Pick<Database, 'db' | 'engine'>
  clock: Clock
}

/**
 * Ends turns whose process died between prompt and answer, so that no prompt looks as if its answer were still
 * coming.
 */
export async function endAbandonedTurns(dependencies: Dependencies): Promise<void> {
  await endBefore(dependencies, dependencies.clock() - ABANDONED_AFTER_MS)
}

/** The same when the service starts: with SQLite there is one process, so every open turn is one of these. */
export async function endTurnsOfLastProcess(dependencies: Dependencies): Promise<void> {
  if (dependencies.database.engine.kind === 'sqlite') await endBefore(dependencies, dependencies.clock())
  else await endAbandonedTurns(dependencies)
}

async function endBefore({ database: { db }, clock }: Dependencies, time: number): Promise<void> {
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
