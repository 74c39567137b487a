import type { Kysely } from 'kysely'
import type { MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import { type UserKey, userOfConversation } from '../../users/user-key.ts'
import { areSpoken, type SPOKEN_ROLES } from '../messages/spoken-roles.ts'
import type { ConversationRow } from '../tables.ts'

type Db = Kysely<Tables>

/** Reads the ids of a conversation's newest spoken messages, newest first. */
export async function newestMessages(
  db: Db,
  agentId: number,
  conversationId: string,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .where(areSpoken)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Reads messages with their author and the channel of their conversation, in any order. */
export async function messagesToIndex(db: Db, agentId: number, ids: readonly number[]) {
  return db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.id', 'created_at', 'content', 'author', 'channel_id'])
    .where('messages.id', 'in', ids)
    .where('messages.agent_id', '=', agentId)
    .execute()
}

/** Lists the spoken messages of all agents with ids above one and up to another. */
export async function spokenBetween(db: Db, above: number, upTo: number) {
  return db
    .selectFrom('messages')
    .select(['agent_id', 'id'])
    .where('id', '>', above)
    .where('id', '<=', upTo)
    .where(areSpoken)
    .execute()
}

const IDS_ASKED = 500

/** Returns the conversations that messages belong to, in the order of the messages. */
export async function conversationsOfMessages(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<string[]> {
  const found = new Map<number, string>()
  for (let from = 0; from < ids.length; from += IDS_ASKED) {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'conversation_id'])
      .where('id', 'in', ids.slice(from, from + IDS_ASKED))
      .where('agent_id', '=', agentId)
      .execute()
    for (const row of rows) found.set(row.id, row.conversation_id)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** A conversation with the key of its user. */
export type FoundConversation = Pick<
  ConversationRow,
  'id' | 'external_id' | 'channel_id' | 'started_at' | 'ended_at'
> & { user: UserKey | null }

const conversationColumns = [
  'conversations.id as conversation_id',
  'conversations.external_id',
  'conversations.user_id',
  'conversations.channel_id',
  'conversations.widget_id',
  'conversations.started_at',
  'conversations.ended_at',
] as const

type WithConversation = Omit<FoundConversation, 'id' | 'user'> &
  Pick<ConversationRow, 'user_id' | 'widget_id'> & { conversation_id: string }

function conversationOf(row: WithConversation): FoundConversation {
  const { conversation_id: id, external_id, channel_id, started_at, ended_at } = row
  return { id, external_id, user: userOfConversation(row), channel_id, started_at, ended_at }
}

/** Reads spoken messages with their whole text and their conversation, in any order. */
export async function selectFoundMessages(db: Db, agentId: number, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select([
      'messages.id',
      'completion_id',
      'role',
      'author',
      'created_at',
      'content',
      ...conversationColumns,
    ])
    .where('messages.id', 'in', ids)
    .where('messages.agent_id', '=', agentId)
    .where(areSpoken)
    .$narrowType<{ role: (typeof SPOKEN_ROLES)[number] }>()
    .execute()
  return rows.map(({ content, id, completion_id, role, author, created_at, ...row }) => ({
    id,
    completion_id,
    role,
    author,
    created_at,
    text: textOfContent(JSON.parse(content) as MessageContent),
    conversation: conversationOf(row),
  }))
}

/** Reads conversations in the order of the given ids. */
export async function selectConversations(
  db: Db,
  agentId: number,
  ids: readonly string[],
): Promise<FoundConversation[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('conversations')
    .select(conversationColumns)
    .where('id', 'in', ids)
    .where('agent_id', '=', agentId)
    .execute()
  const found = new Map(rows.map((row) => [row.conversation_id, conversationOf(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}
