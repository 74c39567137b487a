import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { UserKey } from '../../users/user-key.ts'

type Db = Kysely<Tables>

/** Reads the newest conversations of an end user, newest first. @param which only those that are open */
export async function conversationsOfUser(
  db: Db,
  agentId: number,
  user: UserKey,
  limit: number,
  which: 'all' | 'open' = 'all',
): Promise<string[]> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', '=', user)
    .$if(which === 'open', (query) => query.where('ended_at', 'is', null))
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Tells whether a conversation is an end user's. */
export async function hasUser(
  db: Db,
  agentId: number,
  conversationId: string,
  user: UserKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the conversations or completions of an end user, up to a limit. */
export async function countOfUser(
  db: Db,
  table: 'conversations' | 'completions',
  agentId: number,
  id: UserKey,
  limit: number,
): Promise<number> {
  const counted = db
    .selectFrom(table)
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .limit(limit)
  const { count } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Reads the pages on which the last prompts of an end user were written, the newest first. */
export async function lastPagesOfUser(db: Db, agentId: number, id: UserKey, limit: number) {
  return db
    .selectFrom('completions')
    .select(['page_url', 'created_at'])
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}
