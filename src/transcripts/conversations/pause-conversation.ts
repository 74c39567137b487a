import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { lockMailboxOf } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { type Doer, tell } from './happenings.ts'
import { postHandOver } from './post-hand-over.ts'
import { lockConversation, noLongerWaiting, updateConversation } from './store.ts'

/** Pauses the agent in a conversation, unless it is paused already. A helpdesk gives the conversation to people. */
export function pauseConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return handOver(db, id, true, now, by)
}

/** Undoes `pauseConversation`. */
export function resumeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return handOver(db, id, false, now, by)
}

async function handOver(
  db: Kysely<Tables>,
  id: string,
  pause: boolean,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    await lockMailboxOf(db, { conversation_id: id })
    await postHandOver(db, id, pause ? 'hand_over' : 'hand_back', now)
    return changeConversationPause(db, id, pause, now, by)
  })
}

/**
 * Sets or clears a conversation's own pause within a transaction. When the agent gets it back, it no longer waits.
 * @param by who asked for it, recorded if something changes
 * @param reason why, if the act itself does not tell
 */
export async function changeConversationPause(
  db: Kysely<Tables>,
  id: string,
  pause: boolean,
  now: string,
  by: Doer,
  reason?: 'answered',
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  const isPaused = conversation.agent_paused === 1
  if (isPaused === pause && (pause || conversation.waiting_since === null)) return conversation
  await tellChange(db, conversation, pause ? 'paused' : 'resumed', now, by, reason)
  return updateConversation(
    db,
    id,
    pause
      ? { agent_paused: 1, agent_paused_at: now }
      : { ...(isPaused ? { agent_paused: 0, agent_resumed_at: now } : {}), ...noLongerWaiting(conversation) },
  )
}

/** Ends a conversation, unless it has ended already. */
export async function endConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute((db) => closeConversation(db, id, now, by))
}

/** Does the same within a transaction. @param by as for `changeConversationPause` */
export async function closeConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: Doer,
): Promise<ConversationRow> {
  const conversation = await lockConversation(db, id)
  if (conversation.ended_at !== null) return conversation
  await tellChange(db, conversation, 'ended', now, by)
  return updateConversation(db, id, { ended_at: now, ...noLongerWaiting(conversation) })
}

async function tellChange(
  db: Kysely<Tables>,
  { id, agent_id }: ConversationRow,
  kind: 'paused' | 'resumed' | 'ended',
  at: string,
  by: Doer,
  reason?: string,
): Promise<void> {
  if ('teamId' in by)
    await record(db, {
      ...by,
      agentId: agent_id,
      at,
      action: `conversation.${kind}`,
      target: `conversation ${id}`,
    })
  const details = reason ? { details: { reason } } : {}
  await tell(db, { agent_id, conversation_id: id, kind, by: by.actor, at, ...details })
}
