import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import { inConversation } from '../agents/in-conversation.ts'
import type { Tables } from '../storage/tables.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { Writer } from '../users/writer.ts'
import type { Channel } from './channel.ts'

/**
 * Reads the agent of a channel, with its texts in the chat's language and their variables filled in.
 * @param writer whom the texts name; null: nobody
 */
export async function agentInChat(
  db: Kysely<Tables>,
  { id, agentId }: Channel,
  conversation: ConversationRow,
  writer: Writer | null,
  time: number,
): Promise<Agent> {
  const writing = { user_id: writer?.key ?? null, proven_id: writer?.provenId ?? null }
  const origin = promptOrigin(conversation, id, writing.user_id)
  const occasion = await readOccasion(db, agentId, origin, writing, time)
  return inConversation(await readAgent(db, agentId), occasion)
}
