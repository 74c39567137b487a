import { answerLocked } from '../desk/answer-as-operator.ts'
import { lockAssignment, setAssignment } from '../desk/assign.ts'
import { patchTags } from '../desk/change-tags.ts'
import { endAndAskForRating } from '../desk/end-conversation.ts'
import { addNote } from '../desk/notes/add-note.ts'
import { changeConversationPause, lockTaker, takeFor } from '../desk/pause-conversation.ts'
import { setPriority } from '../desk/set-priority.ts'
import { setSnooze } from '../desk/snooze/snooze-conversation.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { personOf } from '../http/operator-of.ts'
import { timestamp } from '../lib/clock.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import { lockCompletion } from '../transcripts/completions/lock-completion.ts'
import { tagCompletion } from '../transcripts/completions/tag-completion.ts'
import { latestCompletion } from '../transcripts/conversations/latest-completion.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { isOfBlocked } from '../transcripts/conversations/reopen-conversation.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Action, ActionType } from './action.ts'
import type { ActionContext, Undo } from './action-context.ts'

type StoredAction = Exclude<Action, { type: 'call_webhook' }>

export const failures = [
  'too_many_tags',
  'assignee_left',
  'group_deleted',
  'conversation_ended',
  'window_closed',
  'user_blocked',
  'variables_unfilled',
  'webhook_failed',
] as const

type Failure = (typeof failures)[number]

/** The outcome of an action: `unchanged` where the conversation already was as it says. */
export type Result =
  | { outcome: 'done'; undo?: Undo }
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; reason: Failure; unfilled?: string[] }

const DONE: Result = { outcome: 'done' }
const UNCHANGED: Result = { outcome: 'unchanged' }

export const failed = (reason: Failure): Result => ({ outcome: 'failed', reason })

/** The errors of a person's answer that are failures of the action. They are thrown before anything is written. */
const FAILURE_OF: Partial<Record<ErrorCode, Failure>> = {
  window_closed: 'window_closed',
  user_blocked: 'user_blocked',
}

/** The actions that are carried out in the database, each within a transaction of its own. */
const storedActions: {
  [Type in StoredAction['type']]: (
    context: ActionContext,
    action: Extract<StoredAction, { type: Type }>,
  ) => Promise<Result>
} = {
  async tag({ db, conversation: { id }, completionId, actor, nowMs }, { tag }) {
    const conversation = await lockConversation(db, id)
    const before: Record<string, unknown> = JSON.parse(conversation.tags ?? '{}')
    try {
      const isChanged = await patchTags(db, conversation, { [tag]: true }, timestamp(nowMs), { actor })
      if (completionId !== null) await tagCompletion(db, completionId, tag)
      if (!isChanged) return UNCHANGED
    } catch (error) {
      // Nothing was written. Another attempt would fail too.
      if (error instanceof ApiError) return failed('too_many_tags')
      throw error
    }
    // The former value may be somebody's words, so it is not kept.
    return Object.hasOwn(before, tag) ? DONE : { outcome: 'done', undo: { type: 'tag', tag } }
  },

  async pause_conversation({ db, conversation: { id, team_id: teamId }, actor, lockAssignee, nowMs }) {
    const [now, by] = [timestamp(nowMs), { actor }]
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_over', now)
    const taker = await lockTaker(db, lockAssignee, { actor, teamId })
    const before = await lockConversation(db, id)
    const isNew = before.agent_paused === 0
    const conversation = await changeConversationPause(db, id, true, now, by)
    await takeFor(db, conversation, taker, now, by, { fromOthers: isNew })
    return isNew ? { outcome: 'done', undo: { type: 'pause_conversation', paused_at: now } } : UNCHANGED
  },

  async end_conversation({ db, conversation: { id }, completionId, actor, person, nowMs }) {
    await lockMailboxOf(db, { conversation_id: id })
    const { ended_at } = await lockConversation(db, id)
    // Its outcome is written to the completion, which is locked before the message that asks for a rating.
    if (completionId !== null) await lockCompletion(db, completionId)
    if (ended_at !== null) return UNCHANGED
    const now = timestamp(nowMs)
    await endAndAskForRating(db, id, now, { actor }, { lessons: person?.lessons })
    return { outcome: 'done', undo: { type: 'end_conversation', ended_at: now } }
  },

  async request_person({ db, conversation, actor, person, nowMs }) {
    const { waiting_since, ended_at } = await lockConversation(db, conversation.id)
    if (ended_at !== null) return failed('conversation_ended')
    await waitForPerson(db, conversation.id, 'asked', timestamp(nowMs), actor)
    await person?.lessons.handedOff(db, conversation)
    return waiting_since === null ? DONE : UNCHANGED
  },

  async priority({ db, conversation: { id }, actor, nowMs }, { priority }) {
    const conversation = await lockConversation(db, id)
    if (!(await setPriority(db, conversation, priority, timestamp(nowMs), { actor }))) return UNCHANGED
    return { outcome: 'done', undo: { type: 'priority', before: conversation.priority, priority } }
  },

  async assign({ db, conversation: { id, team_id }, actor, lockAssignee, nowMs }, action) {
    const found = await lockAssignment(db, lockAssignee, team_id, action)
    if ('missing' in found) return failed(found.missing === 'group_id' ? 'group_deleted' : 'assignee_left')
    const before = await lockConversation(db, id)
    const after = await setAssignment(db, before, found, timestamp(nowMs), { actor })
    if (!after) return UNCHANGED
    const idsOf = ({ assignee_id, group_id }: ConversationRow) => ({ operator_id: assignee_id, group_id })
    return { outcome: 'done', undo: { type: 'assign', before: idsOf(before), after: idsOf(after) } }
  },

  async snooze({ db, conversation: { id }, actor, nowMs }, { minutes }) {
    const conversation = await lockConversation(db, id)
    if (conversation.ended_at !== null) return failed('conversation_ended')
    const until = timestamp(nowMs + minutes * 60_000)
    if (!(await setSnooze(db, conversation, until, timestamp(nowMs), { actor }))) return UNCHANGED
    return { outcome: 'done', undo: { type: 'snooze', before: conversation.snoozed_until, until } }
  },

  async send_message({ db, conversation, completionId, nowMs }, { text }) {
    const { id } = conversation
    await lockMailboxOf(db, { conversation_id: id })
    if (await isOfBlocked(db, await lockConversation(db, id))) return failed('user_blocked')
    if (completionId !== null) await lockCompletion(db, completionId)
    // It is not part of the completion, whose response stays as it was answered.
    await sayAsAgent(db, conversation, { role: 'assistant', content: text }, timestamp(nowMs))
    return DONE
  },

  async add_note({ db, conversation: { id, agent_id }, completionId, actor, person, nowMs }, { text }) {
    // Locked before the completion that the note belongs to.
    await lockConversation(db, id)
    const note = {
      agent_id,
      conversation_id: id,
      completion_id: completionId ?? (await latestCompletion(db, id)),
      text,
      author: person?.displayName ?? actor.name ?? '',
      operator_id: personOf({ actor }),
      created_at: timestamp(nowMs),
    }
    await addNote(db, note, actor)
    return DONE
  },

  async reply({ db, conversation, actor, person, lockAssignee, nowMs }, { text }) {
    if (!person) throw new Error('only a person replies')
    const { content, unfilled } = await person.fill(db, text)
    if (unfilled.length > 0) return { outcome: 'failed', reason: 'variables_unfilled', unfilled }
    const answer = { content, attachments: [], author: person.displayName ?? undefined }
    try {
      const by = { actor, teamId: conversation.team_id }
      await lockMailboxOf(db, { conversation_id: conversation.id })
      // It has no files, so neither links to this service nor what the channel takes matter.
      const desk = { lockAssignee, lessons: person.lessons, hasPublicUrl: false }
      await answerLocked(db, desk, { ...conversation, channel_id: null }, answer, timestamp(nowMs), by)
      return DONE
    } catch (error) {
      const reason = error instanceof ApiError ? FAILURE_OF[error.code] : undefined
      if (reason) return failed(reason)
      throw error
    }
  },
}

/** Carries out an action in the database, within a transaction of its own. */
export async function setStoredAction<Type extends StoredAction['type']>(
  context: ActionContext,
  action: Extract<StoredAction, { type: Type }> & { type: Type },
): Promise<Result> {
  return storedActions[action.type](context, action)
}

/** The actions that can be undone. Nobody can take back what others have read or been told. */
export const undoable: readonly ActionType[] = [
  'tag',
  'priority',
  'assign',
  'snooze',
  'pause_conversation',
  'end_conversation',
]
