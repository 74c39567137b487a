import type { Kysely } from 'kysely'
import type { ConversationRow, Tables } from '../storage/tables.ts'
import { lockConversation, updateConversation } from './store.ts'

/** Pauses the agent in a conversation; one that is paused already stays as it is. */
export async function pauseConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, id)
    if (conversation.agent_paused) return conversation
    return updateConversation(db, id, { agent_paused: 1, agent_paused_at: now })
  })
}

/** The mirror of `pauseConversation`. */
export async function resumeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, id)
    if (!conversation.agent_paused) return conversation
    return updateConversation(db, id, { agent_paused: 0, agent_resumed_at: now })
  })
}

/** Ends a conversation; one that has ended keeps its time. */
export async function endConversation(db: Kysely<Tables>, id: string, now: string): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, id)
    return conversation.ended_at === null ? updateConversation(db, id, { ended_at: now }) : conversation
  })
}
