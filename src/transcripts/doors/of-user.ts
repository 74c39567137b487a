import type { Kysely } from 'kysely'
import type { Scope } from '../../http/scope.ts'
import { countRows } from '../../storage/count-rows.ts'
import type { Tables } from '../../storage/tables.ts'
import { keysOfPerson, type PersonKeys } from '../../users/person-store.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { Owner } from '../conversations/find-conversation.ts'
import { inScope, namesOneInScope } from '../conversations/in-scope.ts'

type Db = Kysely<Tables>
type Seer = Pick<Owner, 'agentId' | 'scope'>

/** Reads the newest conversations of a person that a caller may see, newest first. @param which only those that are open */
export async function conversationsOfUser(
  db: Db,
  { agentId, scope }: Seer,
  keys: PersonKeys,
  limit: number,
  which: 'all' | 'open' = 'all',
): Promise<string[]> {
  const rows = await ofEach(keys, (user) =>
    db
      .selectFrom('conversations')
      .select(['id', 'sequence'])
      .where('agent_id', '=', agentId)
      .where('user_id', '=', user)
      .$if(which === 'open', (query) => query.where('ended_at', 'is', null))
      .where(inScope(scope, 'conversations'))
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute(),
  )
  return rows
    .sort((a, b) => b.sequence - a.sequence)
    .slice(0, limit)
    .map(({ id }) => id)
}

/** Reads rows of each key of a person by itself, along an index that has them in order. */
async function ofEach<Row>(keys: PersonKeys, read: (user: UserKey) => Promise<Row[]>): Promise<Row[]> {
  return (await Promise.all(keys.map(read))).flat()
}

/** Tells whether a conversation is a person's. */
export async function hasUser(
  db: Db,
  agentId: number,
  conversationId: string,
  keys: PersonKeys,
): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .where('user_id', 'in', keys)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the conversations or completions of a person that a caller may see, up to a limit. */
export function countOfUser(
  db: Db,
  table: 'conversations' | 'completions',
  { agentId, scope }: Seer,
  keys: PersonKeys,
  limit: number,
): Promise<number> {
  const counted = db
    .selectFrom(table)
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', 'in', keys)
    .where(isSeen(scope, table))
    .limit(limit)
  return countRows(db.selectFrom(counted.as('counted')))
}

/** Reads the pages on which the last prompts of a person that a caller may see were written, the newest first. */
export async function lastPagesOfUser(db: Db, { agentId, scope }: Seer, keys: PersonKeys, limit: number) {
  const rows = await ofEach(keys, (user) =>
    db
      .selectFrom('completions')
      .select(['page_url', 'created_at', 'number'])
      .where('agent_id', '=', agentId)
      .where('user_id', '=', user)
      .where(isSeen(scope, 'completions'))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute(),
  )
  return rows.sort((a, b) => b.number - a.number).slice(0, limit)
}

function isSeen(scope: Scope | null | undefined, table: 'conversations' | 'completions') {
  return table === 'conversations' || !scope
    ? inScope(scope, 'conversations')
    : namesOneInScope(scope, 'completions.conversation_id')
}

/** Returns those of some end users who are a person with a conversation that a caller may see. */
export async function usersInScope(db: Db, owner: Seer, users: readonly UserKey[]): Promise<UserKey[]> {
  const seen: UserKey[] = []
  for (const user of users) {
    const keys = await keysOfPerson(db, owner.agentId, user)
    if ((await conversationsOfUser(db, owner, keys, 1)).length > 0) seen.push(user)
  }
  return seen
}
