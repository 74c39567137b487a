import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { endedWith } from '../transcripts/conversations/outcome.ts'
import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import { lockConversation, updateConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { endAndAskForRating } from './end-conversation.ts'

/** Says how a conversation ended, in place of what was said before. One that has not ended ends. */
export async function setOutcome(
  db: Kysely<Tables>,
  lessons: Pick<Lessons, 'ended'>,
  id: string,
  outcome: Outcome,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    const before = await lockConversation(db, id)
    if (before.ended_at === null) return endAndAskForRating(db, id, now, by, { lessons, outcome })
    if (before.outcome === outcome) return before
    const { agent_id } = before
    const [target, details] = [`conversation ${id}`, { outcome }]
    await record(db, {
      ...by,
      agentId: agent_id,
      at: now,
      action: 'conversation.outcome_set',
      target,
      details,
    })
    await addHappening(db, { agent_id, conversation_id: id, kind: 'outcome', by: by.actor, at: now, details })
    return updateConversation(db, id, endedWith(outcome, by))
  })
}
