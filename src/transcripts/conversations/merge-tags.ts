import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { tagsSchema } from './schemas.ts'
import { lockConversation, writeTags } from './store.ts'

type Tags = Readonly<Record<string, unknown>>

/** Tags with others merged into them. @param present as a conversation that is locked holds them */
export function merged(present: string | null, added: Tags): Tags {
  return { ...(present === null ? {} : (JSON.parse(present) as Tags)), ...added }
}

/**
 * Merges tags into those of a conversation, within a transaction.
 * @returns whether a conversation may have so many; nothing is written when not
 */
export async function mergeTags(db: Kysely<Tables>, conversationId: string, added: Tags): Promise<boolean> {
  const conversation = await lockConversation(db, conversationId)
  const tags = merged(conversation.tags, added)
  if (!tagsSchema.safeParse(tags).success) return false
  await writeTags(db, { id: conversationId, tags: JSON.stringify(tags) })
  return true
}
