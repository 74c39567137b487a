import { type Kysely, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { ANEW } from '../../work/work-columns.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations that are counted alone. */
export const SUPPORT_RETRIES = 'figures of single conversations'

export const retryQueue = queueOf('support_retries', byAgent)

/** Has each of some conversations counted by itself. A worker that has one already loses it. */
export async function countAlone(
  db: Db,
  agent_id: number,
  conversationIds: readonly string[],
  due_at: string,
): Promise<void> {
  await db
    .insertInto('support_retries')
    .values(conversationIds.map((conversation_id) => ({ agent_id, conversation_id, due_at, ...ANEW })))
    .onConflict((conflict) =>
      conflict
        .column('conversation_id')
        .doUpdateSet({ due_at, ...ANEW, lease: sql`support_retries.lease + 1` }),
    )
    .execute()
  wake(db, SUPPORT_RETRIES)
}

/** Forgets that conversations wait to be counted alone, since they are counted. */
export async function forgetRetries(db: Db, conversationIds: readonly string[]): Promise<void> {
  await db.deleteFrom('support_retries').where('conversation_id', 'in', conversationIds).execute()
}
