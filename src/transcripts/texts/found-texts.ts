import type { Kysely } from 'kysely'
import type { MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import { type UserKey, userOfConversation } from '../../users/user-key.ts'
import { conversationsOfUser } from '../conversations/of-user.ts'
import type { ConversationRow } from '../tables.ts'
import { MESSAGES, SEARCHED_ROLES, type SearchKind } from './searched-texts.ts'

type Db = Kysely<Tables>

/**
 * Reads a conversation's newest searchable texts, newest first; with a user given, only if the conversation is theirs.
 */
export async function idsOfConversation(
  db: Db,
  agentId: number,
  kind: SearchKind,
  conversationId: string,
  user: UserKey | null,
  limit: number,
): Promise<number[]> {
  if (user !== null) {
    const conversation = await db
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', conversationId)
      .where('agent_id', '=', agentId)
      .where('user_id', '=', user)
      .executeTakeFirst()
    if (!conversation) return []
  }
  const rows =
    kind === MESSAGES
      ? await db
          .selectFrom('messages')
          .select('id')
          .where('conversation_id', '=', conversationId)
          .where('agent_id', '=', agentId)
          .where('role', 'in', SEARCHED_ROLES)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
      : await db
          .selectFrom('conversation_notes')
          .select('id')
          .where('conversation_id', '=', conversationId)
          .where('agent_id', '=', agentId)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
  return rows.map(({ id }) => id)
}

/** The number of an end user's conversations that are searched, newest first. */
const CONVERSATIONS_OF_USER = 1000

/** Reads the newest texts of an end user's conversations, newest first. */
export async function idsOfUser(
  db: Db,
  agentId: number,
  kind: SearchKind,
  user: UserKey,
  limit: number,
): Promise<number[]> {
  const ids: number[] = []
  for (const conversation of await conversationsOfUser(db, agentId, user, CONVERSATIONS_OF_USER)) {
    ids.push(...(await idsOfConversation(db, agentId, kind, conversation, null, limit - ids.length)))
    if (ids.length >= limit) break
  }
  return ids.sort((a, b) => b - a)
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

/** A message or note with its whole text. */
export interface FoundRow {
  kind: 'message' | 'note'
  id: number
  completion_id: string | null
  role: (typeof SEARCHED_ROLES)[number] | null
  author: string | null
  created_at: string
  text: string
  conversation: FoundConversation
}

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

export async function selectFoundMessages(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<FoundRow[]> {
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
    .where('messages.role', 'in', SEARCHED_ROLES)
    .$narrowType<{ role: (typeof SEARCHED_ROLES)[number] }>()
    .execute()
  return rows.map(({ content, id, completion_id, role, author, created_at, ...row }) => ({
    kind: 'message',
    id,
    completion_id,
    role,
    author,
    created_at,
    text: textOfContent(JSON.parse(content) as MessageContent),
    conversation: conversationOf(row),
  }))
}

export async function selectFoundNotes(db: Db, agentId: number, ids: readonly number[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('conversation_notes')
    .innerJoin('conversations', 'conversations.id', 'conversation_notes.conversation_id')
    .select([
      'conversation_notes.id',
      'completion_id',
      'author',
      'created_at',
      'text',
      ...conversationColumns,
    ])
    .where('conversation_notes.id', 'in', ids)
    .where('conversation_notes.agent_id', '=', agentId)
    .execute()
  return rows.map(({ id, completion_id, author, created_at, text, ...row }) => ({
    kind: 'note',
    id,
    completion_id,
    role: null,
    author,
    created_at,
    text,
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
