import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { PersonKeys } from '../../users/person-store.ts'
import type { Owner } from '../conversations/find-conversation.ts'
import { inScope } from '../conversations/in-scope.ts'
import { scoreOf } from '../conversations/rate.ts'
import type { ConversationRow } from '../tables.ts'

/** Returns those of the given ids that are an agent's conversations and within a scope. */
export async function existingConversations(
  db: Kysely<Tables>,
  { agentId, scope }: Pick<Owner, 'agentId' | 'scope'>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .where(inScope(scope, 'conversations'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns those of an agent's conversations that a caller may see, in their order. */
export async function thoseInScope(
  db: Kysely<Tables>,
  owner: Pick<Owner, 'agentId' | 'scope'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (!owner.scope) return ids
  const seen = new Set(await existingConversations(db, owner, ids))
  return ids.filter((id) => seen.has(id))
}

/** Selects the ids of an agent's conversations of a person or a channel. */
export function idsWith(
  db: Kysely<Tables>,
  agentId: number,
  column: 'user_id' | 'channel_id',
  values: PersonKeys | readonly [number],
) {
  return db
    .selectFrom('conversations')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(column, 'in', values)
    .orderBy('sequence')
}

/** A conversation with its newest rating, 1 to 5. */
type RatedConversation = ConversationRow & { rating: number | null }

/** Reads conversations by id, in any order. */
export async function ratedConversations(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<RatedConversation[]> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .select(scoreOf(db, 'conversations.id').as('rating'))
    .where('id', 'in', ids)
    .execute()
}

/** Returns the condition that a conversation is a person's. @param conversationId a value or column of the query */
export function isOfUser(
  db: Kysely<Tables>,
  conversationId: Expression<unknown>,
  keys: PersonKeys,
): RawBuilder<SqlBool> {
  const theirs = db.selectFrom('conversations').select('id').where('user_id', 'in', keys)
  return sql<SqlBool>`exists ${theirs.where(sql<SqlBool>`conversations.id = ${conversationId}`)}`
}
