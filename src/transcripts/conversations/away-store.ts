import type { Kysely } from 'kysely'
import type { AgentSettings } from '../../agents/settings.ts'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { ANEW, begunAnew } from '../../work/work-columns.ts'
import type { ConversationRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations whose users are to be told that nobody is there. */
export const AWAY = 'away'

export const awayQueue = queueOf('away_messages', byAgent)

/**
 * Queues telling the user of a conversation that nobody is there. The people must have hours and the agent the message,
 * and it must still be true when the row is worked.
 */
export async function askForAway(
  db: Db,
  { id: conversation_id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  settings: Pick<AgentSettings, 'away_message' | 'texts'>,
  now: string,
): Promise<void> {
  if (!saysAway(settings)) return
  await db
    .insertInto('away_messages')
    .values({ conversation_id, agent_id, due_at: now, ...ANEW })
    .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet(begunAnew('away_messages', now)))
    .execute()
  wake(db, AWAY)
}

/** Stores that nothing is to be told now, and until when the user was told; null: they were not, or people came since. */
export async function settleAway(db: Db, id: number, told_until: string | null): Promise<void> {
  await db.updateTable('away_messages').set({ due_at: null, told_until }).where('id', '=', id).execute()
}

function saysAway({ away_message, texts }: Pick<AgentSettings, 'away_message' | 'texts'>): boolean {
  return away_message !== null || Object.values(texts).some((of) => of.away_message)
}
