import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { sourceOfKey, type UserKey, type UserSource, unsourcedKey } from '../../users/user-key.ts'

type Db = Kysely<Tables>

/** Tells whether a version that knew no sources has stored a conversation of an end user of a widget or a channel. */
export async function isKnownOfOld(db: Db, agentId: number, key: UserKey): Promise<boolean> {
  const old = unsourcedKey(key)
  if (old === null) return false
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('user_id', '=', old)
    .where((where) =>
      where(
        sql<UserSource>`case when channel_id is not null then 'channel-' || channel_id
          when widget_id is not null then 'widget' else 'api' end`,
        '=',
        sourceOfKey(key),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Reads conversations of an end user that come after a given one, in their order. */
export async function selectConversationsOf(
  db: Db,
  agentId: number,
  user: UserKey,
  after: { sequence: number },
  limit: number,
) {
  return db
    .selectFrom('conversations')
    .select(['id', 'sequence', 'channel_id', 'widget_id', 'user_id', 'started_at'])
    .where('agent_id', '=', agentId)
    .where('user_id', '=', user)
    .where('sequence', '>', after.sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/**
 * Reads completions of an end user that come after a given one, in their order, with the place of their conversation.
 */
export async function selectCompletionsOf(
  db: Db,
  agentId: number,
  user: UserKey,
  after: { created_at: string; number: number },
  limit: number,
) {
  return db
    .selectFrom('completions')
    .innerJoin('conversations', 'conversations.id', 'completions.conversation_id')
    .select([
      'completions.number',
      'completions.created_at',
      'completions.channel_id',
      'conversations.channel_id as conversation_channel',
      'conversations.widget_id',
      'conversations.user_id as conversation_user',
    ])
    .where('completions.agent_id', '=', agentId)
    .where('completions.user_id', '=', user)
    .where(
      sql<boolean>`(completions.created_at, completions.number) > (${after.created_at}, ${after.number})`,
    )
    .orderBy('completions.created_at')
    .orderBy('completions.number')
    .limit(limit)
    .execute()
}

export async function keyConversations(db: Db, ids: readonly string[], key: UserKey): Promise<void> {
  await db.updateTable('conversations').set({ user_id: key }).where('id', 'in', ids).execute()
}

export async function keyCompletions(db: Db, numbers: readonly number[], key: UserKey): Promise<void> {
  await db.updateTable('completions').set({ user_id: key }).where('number', 'in', numbers).execute()
}
