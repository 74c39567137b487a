import { bySystem } from '../audit/record.ts'
import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { workAll } from '../lib/pacing/work-each.ts'
import type { Database } from '../storage/opened-database.ts'
import { INTERRUPTED, OUTCOME_UNKNOWN } from '../tools/run-tool.ts'
import { endAbandoned, selectAbandoned } from '../transcripts/completions/store.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { giveUpCalls } from './calls/keep-calls.ts'

/** No model call may take this long, so a turn of this age is no longer being answered. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000

interface Dependencies {
  database: Pick<Database, 'db'>
  clock: Clock
}

/** Ends turns whose process died between prompt and answer. Otherwise clients would go on waiting for their answers. */
export async function endAbandonedTurns(
  { database: { db }, clock }: Dependencies,
  signal?: AbortSignal,
): Promise<void> {
  const time = clock()
  const now = timestamp(time)
  const before = timestamp(time - ABANDONED_AFTER_MS)
  const select = (limit: number) => selectAbandoned(db, before, limit)
  const end = async (turn: Awaited<ReturnType<typeof select>>[number]) => {
    await db.transaction().execute(async (db) => {
      await lockConversation(db, turn.conversation_id)
      if (!(await endAbandoned(db, turn.id, before, now))) return
      const { agent_id, conversation_id, id: completion_id } = turn
      const ids = { agentId: agent_id, conversationId: conversation_id, completionId: completion_id }
      await giveUpCalls(db, ids, { again: INTERRUPTED, unknown: OUTCOME_UNKNOWN.result }, now)
      const context = { agent_id, conversation_id, completion_id }
      const failure = { code: 'model_failed', reason: 'abandoned' }
      await addHappening(db, { ...context, kind: 'failed', by: bySystem.actor, at: now, details: failure })
      await waitForPerson(db, conversation_id, 'failed', now)
      await raise(db, { ...context, key: 'error', occurred_at: now, data: failure })
    })
  }
  await workAll(select, ({ id }) => id, end, signal)
}
