import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/**
 * Writes a transition message into every open conversation whose agent is not paused there and whose channel, if it
 * has one, can be written to; returns how many.
 */
export async function insertTransitionMessages(
  db: Db,
  agentId: number,
  content: string,
  now: string,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('messages')
    .columns(['agent_id', 'conversation_id', 'role', 'content', 'created_at', 'delivery'])
    .expression((select) =>
      select
        .selectFrom('conversations')
        .select([
          'agent_id',
          'id',
          sql<'transition'>`'transition'`.as('role'),
          sql<string>`cast(${content} as text)`.as('content'),
          sql<string>`cast(${now} as text)`.as('created_at'),
          sql<'queued' | null>`case when channel_id is null then null else 'queued' end`.as('delivery'),
        ])
        .where('agent_id', '=', agentId)
        .where('ended_at', 'is', null)
        .where('agent_paused', '=', 0)
        .where((where) =>
          where.or([where('channel_id', 'is', null), where.exists(writableMailbox(where, now))]),
        ),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

/** The mailbox of a conversation whose channel is active and takes messages unasked. */
function writableMailbox(where: ExpressionBuilder<Tables, 'conversations'>, now: string) {
  return where
    .selectFrom('mailboxes')
    .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select('mailboxes.id')
    .whereRef('mailboxes.conversation_id', '=', 'conversations.id')
    .where('channels.active', '=', 1)
    .where('mailboxes.writable_until', '>', now)
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
