import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import type { Doer } from '../transcripts/conversations/happenings.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { moveConversation } from '../transcripts/conversations/move-conversation.ts'
import { endedWith } from '../transcripts/conversations/outcome.ts'
import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import { lockConversation, noLongerSnoozed, noLongerWaiting } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { askForRating } from './ask-for-rating.ts'
import { outcomeOfEnd } from './outcome-of-end.ts'
import { recordChange } from './record-change.ts'

/** Ends a conversation, unless it has ended already. */
export async function endConversation(
  db: Kysely<Tables>,
  lessons: Pick<Lessons, 'ended'>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    return endAndAskForRating(db, id, now, by, { lessons })
  })
}

interface End {
  /** Absent if no person ends it. */
  lessons?: Pick<Lessons, 'ended'> | undefined
  /** Absent: it follows from what happened in the conversation. */
  outcome?: Outcome | undefined
}

/**
 * Ends a conversation, and asks its user for a rating, in a transaction that has locked its mailbox.
 * @param by the actor, recorded if something changes
 */
export async function endAndAskForRating(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: Doer,
  end?: End,
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  if (conversation.ended_at !== null) return conversation
  const ended = await endOpen(db, conversation, now, by, end)
  await askForRating(db, ended, now)
  return ended
}

/** Ends a conversation as `endAndAskForRating` does, without asking its user for a rating. */
export async function endWithoutRating(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: Doer,
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  return conversation.ended_at === null ? endOpen(db, conversation, now, by) : conversation
}

/** Ends a locked conversation that is open. */
async function endOpen(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  now: string,
  by: Doer,
  { lessons, outcome: said }: End = {},
): Promise<ConversationRow> {
  const outcome = said ?? (await outcomeOfEnd(db, conversation, by))
  await recordChange(db, conversation, 'ended', now, by, { outcome })
  await lessons?.ended(db, conversation, now, by)
  return moveConversation(
    db,
    conversation.id,
    {
      ended_at: now,
      ...endedWith(outcome, by),
      ...noLongerWaiting(conversation),
      ...noLongerSnoozed(conversation),
    },
    now,
  )
}
