import type { Kysely } from 'kysely'
import { addNote } from '../desk/notes/add-note.ts'
import { changeConversationPause, closeConversation } from '../desk/pause-conversation.ts'
import { setPriority } from '../desk/set-priority.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { tagCompletion } from '../transcripts/completions/tag-completion.ts'
import { tell } from '../transcripts/conversations/happenings.ts'
import { mergeTags } from '../transcripts/conversations/merge-tags.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import type { Action } from './schemas.ts'
import type { AutomationJobRow } from './tables.ts'

type StoredAction = Exclude<Action, { type: 'call_webhook' }>

/** The place where an action is carried out, and the rule that does so. */
interface Occasion {
  db: Kysely<Tables>
  job: AutomationJobRow
  by: { kind: 'rule'; id: number; name: string }
  /** A timestamp. */
  now: string
}

/** The actions that are carried out in the database; false: the action could not be carried out. */
const storedActions: {
  [Type in StoredAction['type']]: (
    occasion: Occasion,
    action: Extract<StoredAction, { type: Type }>,
  ) => Promise<unknown>
} = {
  async tag({ db, job: { agent_id, conversation_id, completion_id }, by, now }, { tag }) {
    // The conversation has too many tags, so another attempt would fail too.
    if (!(await mergeTags(db, conversation_id, { [tag]: true }))) return false
    await tagCompletion(db, completion_id, tag)
    const details = { set: [tag] }
    await tell(db, { agent_id, conversation_id, completion_id, kind: 'tagged', by, at: now, details })
    return true
  },

  async pause_conversation({ db, job: { conversation_id }, by, now }) {
    await lockMailboxOf(db, { conversation_id })
    await postHandOver(db, conversation_id, 'hand_over', now)
    await changeConversationPause(db, conversation_id, true, now, { actor: by })
  },

  end_conversation: ({ db, job, by, now }) => closeConversation(db, job.conversation_id, now, { actor: by }),

  request_person: ({ db, job, by, now }) => waitForPerson(db, job.conversation_id, 'asked', now, by),

  async priority({ db, job, by, now }, { priority }) {
    await setPriority(db, await lockConversation(db, job.conversation_id), priority, now, { actor: by })
  },

  async send_message({ db, job: { agent_id, conversation_id }, now }, { text }) {
    const messageId = await appendMessage(db, {
      agentId: agent_id,
      conversationId: conversation_id,
      // The message is not part of the completion, whose response stays as it was answered.
      completionId: null,
      role: 'assistant',
      content: text,
      createdAt: now,
    })
    await queueMessage(db, conversation_id, messageId, now)
  },

  add_note({ db, job: { agent_id, conversation_id, completion_id }, by, now }, { text }) {
    const note = { agent_id, conversation_id, completion_id, text, author: by.name, created_at: now }
    return addNote(db, note, by)
  },
}

/**
 * Carries out an action in the database, within the transaction that stores the job's progress.
 * @returns true if it succeeded
 */
export async function setStoredAction<Type extends StoredAction['type']>(
  db: Kysely<Tables>,
  job: AutomationJobRow,
  automation: { id: number; name: string },
  action: Extract<StoredAction, { type: Type }> & { type: Type },
  now: string,
): Promise<boolean> {
  const by = { kind: 'rule', id: automation.id, name: automation.name } as const
  return (await storedActions[action.type]({ db, job, by, now }, action)) !== false
}
