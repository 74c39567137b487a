import type { Kysely } from 'kysely'
import { lockMailboxOf, postHandOver } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { tagCompletion } from '../transcripts/completions/tag-completion.ts'
import { mergeTags } from '../transcripts/conversations/merge-tags.ts'
import { addNote } from '../transcripts/conversations/notes.ts'
import {
  changeConversationPause,
  closeConversation,
} from '../transcripts/conversations/pause-conversation.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import type { Action } from './schemas.ts'
import type { AutomationJobRow } from './tables.ts'

/**
 * Carries out an action that is done in the database, within the transaction that stores that it was.
 * @returns whether it could be done
 */
export async function setStoredAction(
  db: Kysely<Tables>,
  { agent_id, conversation_id, completion_id }: AutomationJobRow,
  automation: { name: string },
  action: Exclude<Action, { type: 'call_webhook' }>,
  now: string,
): Promise<boolean> {
  switch (action.type) {
    case 'tag': {
      // More than a conversation may have: to try again would change nothing.
      if (!(await mergeTags(db, conversation_id, { [action.tag]: true }))) return false
      await tagCompletion(db, completion_id, action.tag)
      break
    }
    case 'pause_conversation':
      await lockMailboxOf(db, { conversation_id })
      await postHandOver(db, conversation_id, 'hand_over', now)
      await changeConversationPause(db, conversation_id, true, now)
      break
    case 'end_conversation':
      await closeConversation(db, conversation_id, now)
      break
    case 'send_message': {
      const messageId = await appendMessage(db, {
        agentId: agent_id,
        conversationId: conversation_id,
        // Not of the completion: its response stays what was answered.
        completionId: null,
        role: 'assistant',
        content: action.text,
        createdAt: now,
      })
      await queueMessage(db, conversation_id, messageId, now)
      break
    }
    case 'add_note':
      await addNote(db, {
        agent_id,
        conversation_id,
        completion_id,
        text: action.text,
        author: automation.name,
        created_at: now,
      })
  }
  return true
}
