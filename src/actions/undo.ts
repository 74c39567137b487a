import { lockAssignment, setAssignment } from '../desk/assign.ts'
import { patchTags } from '../desk/change-tags.ts'
import { changeConversationPause } from '../desk/pause-conversation.ts'
import { setPriority } from '../desk/set-priority.ts'
import { setSnooze } from '../desk/snooze/snooze-conversation.ts'
import { timestamp } from '../lib/clock.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import { countAnswersOfPeople } from '../transcripts/conversations/pause-state.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { priorityOf, rankOf } from '../transcripts/conversations/priority.ts'
import { isOfBlocked, reopenLocked } from '../transcripts/conversations/reopen-conversation.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import type { ActionContext, Undo } from './action-context.ts'

interface UndoContext
  extends Pick<ActionContext, 'db' | 'conversation' | 'actor' | 'lockAssignee' | 'nowMs'> {
  /** The number of answers of a person that are actions themselves. */
  replies: number
}

/** The ways in which actions are undone; false: somebody has changed it since, or what was there before is gone. */
const undoings: {
  [Type in Undo['type']]: (context: UndoContext, undo: Extract<Undo, { type: Type }>) => Promise<boolean>
} = {
  async tag({ db, conversation: { id }, actor, nowMs }, { tag }) {
    return patchTags(db, await lockConversation(db, id), { [tag]: null }, timestamp(nowMs), { actor })
  },

  async priority({ db, conversation: { id }, actor, nowMs }, { before, priority }) {
    const conversation = await lockConversation(db, id)
    if (conversation.priority !== rankOf(priority)) return false
    return setPriority(db, conversation, priorityOf({ priority: before }), timestamp(nowMs), { actor })
  },

  async assign({ db, conversation: { id, team_id }, actor, lockAssignee, nowMs }, { before, after }) {
    const found = await lockAssignment(db, lockAssignee, team_id, before)
    const conversation = await lockConversation(db, id)
    const { assignee_id, group_id } = conversation
    if ('missing' in found || assignee_id !== after.operator_id || group_id !== after.group_id) return false
    return (await setAssignment(db, conversation, found, timestamp(nowMs), { actor })) !== null
  },

  async snooze({ db, conversation: { id }, actor, nowMs }, { before, until }) {
    const conversation = await lockConversation(db, id)
    if (conversation.snoozed_until !== until) return false
    const now = timestamp(nowMs)
    return setSnooze(db, conversation, before !== null && before > now ? before : null, now, { actor })
  },

  async pause_conversation({ db, conversation: { id }, actor, replies, nowMs }, { paused_at }) {
    const now = timestamp(nowMs)
    await lockMailboxOf(db, { conversation_id: id })
    const { agent_paused, agent_paused_at } = await lockConversation(db, id)
    if (agent_paused === 0 || (paused_at ?? agent_paused_at) !== agent_paused_at) return false
    // Whoever has answered since has taken the conversation over, though it was paused already.
    if ((await countAnswersOfPeople(db, id, agent_paused_at ?? '')) > replies) return false
    await postHandOver(db, id, 'hand_back', now)
    await changeConversationPause(db, id, false, now, { actor })
    return true
  },

  async end_conversation({ db, conversation: { id }, actor, nowMs }, { ended_at }) {
    const conversation = await lockConversation(db, id)
    if (conversation.ended_at !== ended_at || (await isOfBlocked(db, conversation))) return false
    await reopenLocked(db, conversation, timestamp(nowMs), { actor })
    return true
  },
}

/** Undoes an action, within a transaction of its own. @returns false if that is no longer possible */
export async function undoAction<Type extends Undo['type']>(
  context: UndoContext,
  undo: Extract<Undo, { type: Type }> & { type: Type },
): Promise<boolean> {
  return undoings[undo.type](context, undo)
}
