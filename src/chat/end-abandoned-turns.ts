import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/engine.ts'
import { endCompletion, selectAbandoned } from './store.ts'

/** Longer than any model call may take: a turn that is open after this has lost its process. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000
/** The clock may have been put back. */
const END_OF_TIME = '9999'

interface Dependencies {
  database: Pick<Database, 'db' | 'engine'>
  clock: Clock
}

/** What is known of a turn that has lost its process. */
type AbandonedTurn = Awaited<ReturnType<typeof selectAbandoned>>[number]

/**
 * Ends turns whose process died between prompt and answer, so that no prompt looks as if its answer were still
 * coming.
 */
export async function endAbandonedTurns(dependencies: Dependencies): Promise<void> {
  const { database, clock } = dependencies
  await endTurns(dependencies, await selectAbandoned(database.db, timestamp(clock() - ABANDONED_AFTER_MS)))
}

/** Where only one process works on the database, every turn that is open before it serves has lost its process. */
export async function turnsOfLastProcess({ db, engine }: Dependencies['database']): Promise<AbandonedTurn[]> {
  return engine.isSingleProcess ? selectAbandoned(db, END_OF_TIME) : []
}

/** Ends turns that are still open. */
export async function endTurns(
  { database: { db }, clock }: Dependencies,
  turns: AbandonedTurn[],
): Promise<void> {
  const answered_at = timestamp(clock())
  for (const turn of turns) {
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
