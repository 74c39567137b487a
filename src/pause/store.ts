import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** Writes a transition message into every open conversation whose agent is not paused there; returns how many. */
export async function insertTransitionMessages(
  db: Db,
  agentId: number,
  content: string,
  now: string,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('messages')
    .columns(['agent_id', 'conversation_id', 'role', 'content', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('conversations')
        .select([
          'agent_id',
          'id',
          sql<'transition'>`'transition'`.as('role'),
          sql<string>`cast(${content} as text)`.as('content'),
          sql<string>`cast(${now} as text)`.as('created_at'),
        ])
        .where('agent_id', '=', agentId)
        .where('ended_at', 'is', null)
        .where('agent_paused', '=', 0),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

export async function countOpenConversations(db: Db, agentId: number): Promise<number> {
  const { count } = await db
    .selectFrom('conversations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
