import type { Kysely } from 'kysely'
import { newestNotes, selectNotes } from '../desk/notes/store.ts'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { existingConversations } from '../transcripts/doors/by-filter.ts'
import {
  type FoundConversation,
  newestMessages,
  selectConversations,
  selectFoundMessages,
} from '../transcripts/doors/found-messages.ts'
import { conversationsOfUser, hasUser } from '../transcripts/doors/of-user.ts'
import type { SPOKEN_ROLES } from '../transcripts/messages/spoken-roles.ts'
import type { PersonKeys } from '../users/person-store.ts'
import { MESSAGES, type SearchKind } from './index/searched-texts.ts'

type Db = Kysely<Tables>

/** A message or note with its whole text. */
export interface FoundRow {
  kind: 'message' | 'note'
  id: number
  completion_id: string | null
  role: (typeof SPOKEN_ROLES)[number] | null
  author: string | null
  created_at: string
  text: string
  conversation: FoundConversation
}

/** Returns those of some messages or notes that a caller may see, in their order. */
export async function textsInScope(
  db: Db,
  owner: Pick<Owner, 'agentId' | 'scope'>,
  kind: SearchKind,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (!owner.scope) return ids
  const rows = await foundRows(db, owner.agentId, kind, ids)
  const places = new Map(rows.map(({ id, conversation }) => [id, conversation.id]))
  const seen = new Set(await existingConversations(db, owner, [...new Set(places.values())]))
  return ids.filter((id) => seen.has(places.get(id) ?? ''))
}

/** Reads messages or notes with their conversation, in any order. */
export async function foundRows(
  db: Db,
  agentId: number,
  kind: SearchKind,
  ids: readonly number[],
): Promise<FoundRow[]> {
  if (kind === MESSAGES) {
    const messages = await selectFoundMessages(db, agentId, ids)
    return messages.map((message) => ({ kind: 'message', ...message }))
  }
  const notes = [...(await selectNotes(db, agentId, ids)).values()]
  const conversations = await selectConversations(
    db,
    agentId,
    notes.map(({ conversation_id }) => conversation_id),
  )
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]))
  return notes.flatMap(({ id, completion_id, author, created_at, text, conversation_id }) => {
    const conversation = byId.get(conversation_id)
    if (!conversation) return []
    return [{ kind: 'note', id, completion_id, role: null, author, created_at, text, conversation }]
  })
}

/**
 * Reads the ids of a conversation's newest searchable texts, newest first; with a person given, only if the
 * conversation is theirs.
 */
export async function idsOfConversation(
  db: Db,
  agentId: number,
  kind: SearchKind,
  conversationId: string,
  person: PersonKeys | null,
  limit: number,
): Promise<number[]> {
  if (person !== null && !(await hasUser(db, agentId, conversationId, person))) return []
  const newest = kind === MESSAGES ? newestMessages : newestNotes
  return newest(db, agentId, conversationId, limit)
}

/** The number of a person's conversations that are searched, newest first. */
const CONVERSATIONS_OF_USER = 1000

/** Reads the ids of the newest texts of a person's conversations, newest first. */
export async function idsOfUser(
  db: Db,
  agentId: number,
  kind: SearchKind,
  person: PersonKeys,
  limit: number,
): Promise<number[]> {
  const ids: number[] = []
  for (const conversation of await conversationsOfUser(db, { agentId }, person, CONVERSATIONS_OF_USER)) {
    ids.push(...(await idsOfConversation(db, agentId, kind, conversation, null, limit - ids.length)))
    if (ids.length >= limit) break
  }
  return ids.sort((a, b) => b - a)
}
