import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Doer, HappeningActor } from '../transcripts/conversations/happenings.ts'
import { moveConversation } from '../transcripts/conversations/move-conversation.ts'
import { pausedTopic } from '../transcripts/conversations/pause-state.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { lockConversation, noLongerWaiting } from '../transcripts/conversations/store.ts'
import { dropUnsentAnswers } from '../transcripts/messages/drop-unsent-answers.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { type Assignee, type LockAssignee, setAssignment } from './assign.ts'
import { recordChange } from './record-change.ts'

/**
 * Pauses the agent in a conversation, unless it is paused already. On a helpdesk, the conversation is handed over to
 * people. A signed-in person who pauses it becomes its assignee, unless it was paused and assigned before.
 */
export async function pauseConversation(
  db: Kysely<Tables>,
  lockAssignee: LockAssignee,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_over', now)
    const taker = await lockTaker(db, lockAssignee, by)
    const { agent_paused } = await lockConversation(db, id)
    const conversation = await changeConversationPause(db, id, true, now, by)
    return takeFor(db, conversation, taker, now, by, { fromOthers: agent_paused === 0 })
  })
}

/** Gives a conversation back to the agent. Its assignee stays. */
export async function resumeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_back', now)
    return changeConversationPause(db, id, false, now, by)
  })
}

/**
 * Reads and locks the person who acts, before their conversation is locked; returns null if nobody who is signed in
 * acts.
 */
export async function lockTaker(
  db: Kysely<Tables>,
  lockAssignee: LockAssignee,
  { actor, teamId }: { actor: HappeningActor; teamId: number },
): Promise<Assignee | null> {
  return actor.kind === 'operator' && actor.id !== null ? lockAssignee(db, teamId, actor.id) : null
}

/**
 * Assigns a locked conversation to a person who takes it from the agent, unless it is assigned to somebody else.
 * @param fromOthers true: even then
 */
export async function takeFor(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  taker: Assignee | null,
  now: string,
  by: Doer,
  { fromOthers } = { fromOthers: false },
): Promise<ConversationRow> {
  if (taker === null || !(fromOthers || conversation.assignee_id === null)) return conversation
  return (await setAssignment(db, conversation, { assignee: taker }, now, by)) ?? conversation
}

/**
 * Sets or clears a conversation's own pause within a transaction. A pause holds back the agent's answers that wait to be
 * sent. An automation's pause does not, because automations follow an answer and do not withdraw it. A conversation that
 * the agent gets back no longer waits.
 * @param by the actor, recorded if something changes
 * @param reason the reason, if the act itself does not tell it
 */
export async function changeConversationPause(
  db: Kysely<Tables>,
  id: string,
  pause: boolean,
  now: string,
  by: Doer,
  reason?: 'answered',
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  if (pause) {
    wake(db, pausedTopic(id))
    if (by.actor.kind !== 'rule') await dropUnsentAnswers(db, { conversation_id: id }, now)
  }
  const isPaused = conversation.agent_paused === 1
  if (isPaused === pause && (pause || conversation.waiting_since === null)) return conversation
  await recordChange(db, conversation, pause ? 'paused' : 'resumed', now, by, reason ? { reason } : undefined)
  return moveConversation(
    db,
    id,
    pause
      ? { agent_paused: 1, agent_paused_at: now }
      : { ...(isPaused ? { agent_paused: 0, agent_resumed_at: now } : {}), ...noLongerWaiting(conversation) },
    now,
  )
}
