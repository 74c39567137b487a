import type { Kysely } from 'kysely'
import type { TeamBy } from '../../audit/record.ts'
import { lockMailboxOf, postHandOver } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import { appendMessage } from '../messages/append-message.ts'
import { queueMessage } from '../messages/queue-message.ts'
import type { ConversationRow, MessageRow } from '../tables.ts'
import { changeByCaller } from './pause-conversation.ts'
import { lastCompletionId, lockConversation, updateConversation } from './store.ts'

export interface OperatorAnswer {
  content: string
  author?: string | undefined
}

/**
 * Stores an operator's answer, which takes the conversation over: the agent is paused in it until it is resumed.
 * An ended conversation opens again. The answer goes out through the conversation's channel.
 */
export async function answerAsOperator(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  answer: OperatorAnswer,
  now: string,
  by: TeamBy,
): Promise<MessageRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: conversation.id })
    await changeByCaller(db, conversation.id, true, now, by)
    const id = await storeOperatorAnswer(db, conversation, answer, now)
    await queueMessage(db, conversation.id, id, now)
    await postHandOver(db, conversation.id, 'hand_over', now)
    return db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
}

/** The same within a transaction, for an answer that was given on the channel's own platform; returns the message's id. */
export async function storeOperatorAnswer(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  answer: OperatorAnswer,
  now: string,
): Promise<number> {
  await takeOver(db, conversation.id, now)
  // It answers the last prompt and is redacted with it: what was redacted already waits again.
  const completionId = await lastCompletionId(db, conversation.id)
  if (completionId)
    await db.updateTable('completions').set({ redacted: null }).where('id', '=', completionId).execute()
  return appendMessage(db, {
    agentId: conversation.agent_id,
    conversationId: conversation.id,
    completionId,
    role: 'operator',
    content: answer.content,
    author: answer.author,
    createdAt: now,
  })
}

/** An operator has the conversation from now on, also one that had ended, within a transaction. */
export async function takeOver(db: Kysely<Tables>, conversationId: string, now: string): Promise<void> {
  const { agent_paused } = await lockConversation(db, conversationId)
  await updateConversation(db, conversationId, {
    ended_at: null,
    ...(agent_paused ? {} : { agent_paused: 1, agent_paused_at: now }),
  })
}
