import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { addHappening, type HappeningActor } from './happenings.ts'
import { moveConversation } from './move-conversation.ts'

/**
 * Brings a locked conversation back that was put aside, within a transaction.
 * @param reason `due`: its time has come; `replied`: its user has written
 */
export async function unsnoozeLocked(
  db: Kysely<Tables>,
  { id, agent_id }: ConversationRow,
  reason: 'due' | 'replied',
  now: string,
  by: HappeningActor,
): Promise<void> {
  await moveConversation(db, id, { snoozed_until: null }, now)
  const details = { reason }
  await addHappening(db, { agent_id, conversation_id: id, kind: 'unsnoozed', by, at: now, details })
}
