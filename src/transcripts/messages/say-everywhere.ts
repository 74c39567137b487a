import { type Kysely, sql } from 'kysely'
import { changed } from '../../events/changes.ts'
import { postMessages, writableMailbox } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'

type Db = Kysely<Tables>

/**
 * Writes a transition message into every open conversation in which the agent is not paused and whose channel, if it
 * has one, can be written to. Queues it for the channels.
 * @returns how many messages were written
 */
export async function sayEverywhere(
  db: Db,
  agentId: number,
  content: string,
  onChannels: boolean,
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
  const said = Number(numInsertedOrUpdatedRows ?? 0)
  if (said > 0) changed(db, { type: 'agent', agent_id: agentId, conversation_id: null, said_at: now })
  if (onChannels && said > 0) {
    const messages = db
      .selectFrom('messages')
      .select(['id', 'conversation_id', 'created_at'])
      .where('agent_id', '=', agentId)
      .where('role', '=', 'transition')
      .where('completion_id', 'is', null)
      .where('created_at', '=', now)
    await postMessages(db, messages)
  }
  return said
}
