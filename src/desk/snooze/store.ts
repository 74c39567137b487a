import type { Kysely } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import type { ConversationRow } from '../../transcripts/tables.ts'
import { queueOf } from '../../work/queue.ts'
import { ANEW, begunAnew } from '../../work/work-columns.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations that were snoozed. */
export const SNOOZES = 'snoozes'

export const snoozeQueue = queueOf('snoozes', byAgent)

/** Stores when a conversation comes back. A worker that holds the row for another time loses it. */
export async function scheduleReturn(
  db: Db,
  { id: conversation_id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  due_at: string,
): Promise<void> {
  await db
    .insertInto('snoozes')
    .values({ conversation_id, agent_id, due_at, ...ANEW })
    .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet(begunAnew('snoozes', due_at)))
    .execute()
  wake(db, SNOOZES)
}

/** Deletes what was stored of the return of a conversation. */
export async function cancelReturn(db: Db, conversationId: string): Promise<void> {
  await db.deleteFrom('snoozes').where('conversation_id', '=', conversationId).execute()
}
