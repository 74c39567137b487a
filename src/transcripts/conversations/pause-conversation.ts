import type { Kysely } from 'kysely'
import { lockMailboxOf, postHandOver } from '../../mailboxes/post.ts'
import type { ConversationRow, Tables } from '../../storage/tables.ts'
import { lockConversation, updateConversation } from './store.ts'

/**
 * Pauses the agent in a conversation; one that is paused already stays as it is. On a helpdesk people get it.
 */
export async function pauseConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_over', now)
    return changeConversationPause(db, id, true, now)
  })
}

/** The mirror of `pauseConversation`. */
export async function resumeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_back', now)
    return changeConversationPause(db, id, false, now)
  })
}

/** Sets or clears a conversation's own pause within a transaction. */
export async function changeConversationPause(
  db: Kysely<Tables>,
  id: string,
  pause: boolean,
  now: string,
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  if ((conversation.agent_paused === 1) === pause) return conversation
  return updateConversation(
    db,
    id,
    pause ? { agent_paused: 1, agent_paused_at: now } : { agent_paused: 0, agent_resumed_at: now },
  )
}

/** Ends a conversation; one that has ended keeps its time. */
export async function endConversation(db: Kysely<Tables>, id: string, now: string): Promise<ConversationRow> {
  return db.transaction().execute((db) => closeConversation(db, id, now))
}

/** The same within a transaction. */
export async function closeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  return conversation.ended_at === null ? updateConversation(db, id, { ended_at: now }) : conversation
}
