import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { lockConversation, writeTags } from './store.ts'

/** Merges tags into those of a conversation, within a transaction. */
export async function mergeTags(
  db: Kysely<Tables>,
  conversationId: string,
  added: Record<string, unknown>,
): Promise<void> {
  const { tags } = await lockConversation(db, conversationId)
  const present = tags === null ? {} : (JSON.parse(tags) as Record<string, unknown>)
  await writeTags(db, { id: conversationId, tags: JSON.stringify({ ...present, ...added }) })
}
