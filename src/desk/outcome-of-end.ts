import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { Doer } from '../transcripts/conversations/happenings.ts'
import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import { hasPersonAnswered } from '../transcripts/conversations/pause-state.ts'
import { lastReopened } from '../transcripts/conversations/reopen-conversation.ts'
import { lastSpoken, messagesWithIds } from '../transcripts/messages/find-message.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** Returns the outcome of a locked conversation that ends now, when nobody says which it is. */
export async function outcomeOfEnd(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  { actor }: Pick<Doer, 'actor'>,
): Promise<Outcome> {
  const { id, waiting_reason } = conversation
  const isPeoples = await hadPeople(db, conversation)
  // The people who have the conversation know whether the user's last message needs an answer.
  if (isPeoples && (actor.kind === 'operator' || actor.kind === 'channel')) return 'handed_off'
  if (waiting_reason === 'unanswered' || waiting_reason === 'failed') return 'unanswered'
  if (waiting_reason !== null) return 'abandoned'
  if (actor.kind === 'user') return 'resolved'
  if (isPeoples) return 'handed_off'
  const [last] = await messagesWithIds(db, await lastSpoken(db, id, 1))
  return last?.role === 'user' ? 'unanswered' : 'assumed'
}

/** Tells whether people have a conversation, or have answered in it since it began or was last opened again. */
async function hadPeople(db: Kysely<Tables>, { id, agent_paused }: ConversationRow): Promise<boolean> {
  if (agent_paused === 1) return true
  return hasPersonAnswered(db, id, await lastReopened(db, id))
}
