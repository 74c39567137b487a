import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Counts the conversations of an agent that have not ended. */
export async function countOpenConversations(db: Kysely<Tables>, agentId: number): Promise<number> {
  const { count } = await db
    .selectFrom('conversations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
