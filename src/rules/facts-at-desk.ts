import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { newestCompletion } from '../transcripts/conversations/latest-completion.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { factsOfCompletion } from './facts-of-completion.ts'
import type { FactOptions, KnownFacts } from './job.ts'

/** Reads the facts of a conversation: those of its latest completion, at another time. */
export async function factsAtDesk(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'channel_id' | 'user_id'>,
  options: FactOptions & { at: number },
): Promise<KnownFacts> {
  const completion = await newestCompletion(db, conversation.id)
  const { id: conversation_id, channel_id, user_id } = conversation
  const of = completion ?? { conversation_id, channel_id, user_id }
  const facts = await factsOfCompletion(db, of, { ...options, kept: {} })
  return { facts, completionId: completion?.id ?? null }
}
