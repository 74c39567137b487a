import type { Kysely } from 'kysely'
import type { Scope } from '../../http/scope.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { Owner } from '../conversations/find-conversation.ts'
import { inScope, namesOneInScope } from '../conversations/in-scope.ts'

type Db = Kysely<Tables>
type Seer = Pick<Owner, 'agentId' | 'scope'>

/** Reads the newest conversations of an end user that a caller may see, newest first. @param which only those that are open */
export async function conversationsOfUser(
  db: Db,
  { agentId, scope }: Seer,
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
    .where(inScope(scope, 'conversations'))
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

/** Counts the conversations or completions of an end user that a caller may see, up to a limit. */
export async function countOfUser(
  db: Db,
  table: 'conversations' | 'completions',
  { agentId, scope }: Seer,
  id: UserKey,
  limit: number,
): Promise<number> {
  const counted = db
    .selectFrom(table)
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .where(isSeen(scope, table))
    .limit(limit)
  const { count } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Reads the pages on which the last prompts of an end user that a caller may see were written, the newest first. */
export async function lastPagesOfUser(db: Db, { agentId, scope }: Seer, id: UserKey, limit: number) {
  return db
    .selectFrom('completions')
    .select(['page_url', 'created_at'])
    .where('agent_id', '=', agentId)
    .where('user_id', '=', id)
    .where(isSeen(scope, 'completions'))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

function isSeen(scope: Scope | null | undefined, table: 'conversations' | 'completions') {
  return table === 'conversations' || !scope
    ? inScope(scope, 'conversations')
    : namesOneInScope(scope, 'completions.conversation_id')
}

/** Returns those of some end users who have a conversation that a caller may see. */
export async function usersInScope(db: Db, owner: Seer, users: readonly UserKey[]): Promise<UserKey[]> {
  const seen: UserKey[] = []
  for (const user of users) if ((await conversationsOfUser(db, owner, user, 1)).length > 0) seen.push(user)
  return seen
}
