import type { Kysely } from 'kysely'
import type { ConversationRow, MessageRow, Tables } from '../storage/tables.ts'
import { appendMessage } from './append-message.ts'
import { lastCompletionId, lockConversation, updateConversation } from './store.ts'

/**
 * Stores a person's answer, which takes the conversation over: the agent is paused in it until it is resumed.
 * An ended conversation opens again.
 */
export async function answerAsPerson(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  answer: { content: string; author?: string | undefined },
  now: string,
): Promise<MessageRow> {
  return db.transaction().execute(async (db) => {
    const { agent_paused } = await lockConversation(db, conversation.id)
    await updateConversation(db, conversation.id, {
      ended_at: null,
      ...(agent_paused ? {} : { agent_paused: 1, agent_paused_at: now }),
    })
    // It answers the last prompt and is redacted with it: what was redacted already waits again.
    const completionId = await lastCompletionId(db, conversation.id)
    if (completionId)
      await db.updateTable('completions').set({ redacted: null }).where('id', '=', completionId).execute()
    const id = await appendMessage(db, {
      agentId: conversation.agent_id,
      conversationId: conversation.id,
      completionId,
      role: 'operator',
      content: answer.content,
      author: answer.author,
      createdAt: now,
    })
    return db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
}
