import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { lockMailboxOf, postHandOver } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { lockConversation, updateConversation } from './store.ts'

/**
 * Pauses the agent in a conversation; one that is paused already stays as it is. On a helpdesk people get it.
 */
export async function pauseConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_over', now)
    return changeByCaller(db, id, true, now, by)
  })
}

/** The mirror of `pauseConversation`. */
export async function resumeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, 'hand_back', now)
    return changeByCaller(db, id, false, now, by)
  })
}

/** Sets or clears a conversation's own pause within a transaction, with a row in the audit when that changes it. */
export async function changeByCaller(
  db: Kysely<Tables>,
  id: string,
  pause: boolean,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  const before = await lockConversation(db, id)
  if ((before.agent_paused === 1) === pause) return before
  const action = pause ? 'conversation.paused' : 'conversation.resumed'
  await record(db, { ...by, agentId: before.agent_id, at: now, action, target: `conversation ${id}` })
  return changeConversationPause(db, id, pause, now)
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
export async function endConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const before = await lockConversation(db, id)
    if (before.ended_at !== null) return before
    const target = `conversation ${id}`
    await record(db, { ...by, agentId: before.agent_id, at: now, action: 'conversation.ended', target })
    return closeConversation(db, id, now)
  })
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
