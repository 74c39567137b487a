import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening, type Doer } from '../transcripts/conversations/happenings.ts'
import { type Priority, rankOf } from '../transcripts/conversations/priority.ts'
import { lockConversation, updateConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** Sets the priority of a conversation. */
export async function prioritizeConversation(
  db: Kysely<Tables>,
  id: string,
  priority: Priority,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const before = await lockConversation(db, id)
    if (!(await setPriority(db, before, priority, now, by))) return
    const act = { agentId: before.agent_id, at: now, target: `conversation ${id}`, details: { priority } }
    await record(db, { ...by, ...act, action: 'conversation.prioritized' })
  })
}

/**
 * Sets the priority of a conversation that the transaction has locked. Writes no audit.
 * @returns whether it changed
 */
export async function setPriority(
  db: Kysely<Tables>,
  { id, agent_id, priority: before }: ConversationRow,
  priority: Priority,
  now: string,
  { actor }: Pick<Doer, 'actor'>,
): Promise<boolean> {
  if (before === rankOf(priority)) return false
  await updateConversation(db, id, { priority: rankOf(priority) })
  const details = { priority }
  await addHappening(db, { agent_id, conversation_id: id, kind: 'prioritized', by: actor, at: now, details })
  return true
}
