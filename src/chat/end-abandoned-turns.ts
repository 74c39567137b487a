import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/engine.ts'
import { endAbandoned, selectAbandoned } from '../transcripts/completions/store.ts'

/** Longer than any model call may take: whoever has been answering for so long does so no more. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000

interface Dependencies {
  database: Pick<Database, 'db'>
  clock: Clock
}

/**
 * Ends turns whose process died between prompt and answer, so that no prompt looks as if its answer were still
 * coming.
 */
export async function endAbandonedTurns({ database: { db }, clock }: Dependencies): Promise<void> {
  const time = clock()
  const now = timestamp(time)
  const before = timestamp(time - ABANDONED_AFTER_MS)
  for (const turn of await selectAbandoned(db, before)) {
    await db.transaction().execute(async (db) => {
      if (!(await endAbandoned(db, turn.id, before, now))) return
      await raise(db, {
        key: 'error',
        agent_id: turn.agent_id,
        occurred_at: now,
        conversation_id: turn.conversation_id,
        completion_id: turn.id,
        data: { code: 'model_failed', reason: 'abandoned' },
      })
    })
  }
}
