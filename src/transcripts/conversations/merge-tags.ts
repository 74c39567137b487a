import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { tagsSchema } from './schemas.ts'
import { lockConversation, updateTags } from './store.ts'

type Tags = Readonly<Record<string, unknown>>

/** Merges tags. @param present JSON of the tags of a conversation that is locked */
export function merged(present: string | null, added: Tags): Tags {
  return { ...(present === null ? {} : (JSON.parse(present) as Tags)), ...added }
}

/**
 * Adds tags to a conversation, within a transaction.
 * @returns false when there would be too many; then nothing is written
 */
export async function mergeTags(db: Kysely<Tables>, conversationId: string, added: Tags): Promise<boolean> {
  const conversation = await lockConversation(db, conversationId)
  const tags = merged(conversation.tags, added)
  if (!tagsSchema.safeParse(tags).success) return false
  await updateTags(db, conversation, tags)
  return true
}
