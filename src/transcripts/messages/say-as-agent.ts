import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { appendMessage } from './append-message.ts'
import { queueMessage } from './queue-message.ts'

/** Something that the agent says, other than the answer to a prompt. */
export interface OwnMessage {
  role: 'assistant' | 'transition'
  content: string
}

/**
 * Stores what the agent says of its own in a conversation, as part of no completion, and queues it for the channel.
 * Returns the id of the message.
 */
export async function sayAsAgent(
  db: Kysely<Tables>,
  { id: conversationId, agent_id: agentId }: Pick<ConversationRow, 'id' | 'agent_id'>,
  message: OwnMessage,
  createdAt: string,
): Promise<number> {
  const of = { agentId, conversationId, completionId: null, createdAt }
  const messageId = await appendMessage(db, { ...of, ...message })
  await queueMessage(db, conversationId, messageId, createdAt)
  return messageId
}
