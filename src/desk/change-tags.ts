import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { parsePart } from '../http/schemas.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening, type Doer } from '../transcripts/conversations/happenings.ts'
import { mergeTags } from '../transcripts/conversations/merge-tags.ts'
import { tagsSchema } from '../transcripts/conversations/schemas.ts'
import { lockConversation, updateTags } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** The tags to set; null removes one. */
type TagsPatch = Readonly<Record<string, unknown>>

/**
 * Changes tags of a conversation.
 * @throws ApiError invalid_request if there would be too many
 */
export async function changeTags(
  db: Kysely<Tables>,
  id: string,
  patch: TagsPatch,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const before = await lockConversation(db, id)
    if (await patchTags(db, before, patch, now, by)) {
      const { agent_id: agentId } = before
      const [target, details] = [`conversation ${id}`, { tags: Object.keys(patch) }]
      await record(db, { ...by, agentId, at: now, action: 'conversation.tagged', target, details })
    }
    return lockConversation(db, id)
  })
}

/**
 * Changes tags of a conversation that the transaction has locked. Writes no audit.
 * @returns whether something changed
 */
export async function patchTags(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  patch: TagsPatch,
  now: string,
  { actor }: Pick<Doer, 'actor'>,
): Promise<boolean> {
  const all = Object.entries(mergeTags(conversation.tags, patch)).filter(([, value]) => value !== null)
  const tags = parsePart(tagsSchema, Object.fromEntries(all), 'tags')
  if (JSON.stringify(tags) === (conversation.tags ?? '{}')) return false
  const { id, agent_id } = conversation
  await updateTags(db, conversation, tags)
  const details = { tags: Object.keys(patch) }
  await addHappening(db, { agent_id, conversation_id: id, kind: 'tagged', by: actor, at: now, details })
  return true
}
