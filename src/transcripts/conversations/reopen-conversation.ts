import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { isBlocked } from '../../users/known-users.ts'
import { userOfConversation } from '../../users/user-key.ts'
import type { ConversationRow } from '../tables.ts'
import { addHappening, type Doer } from './happenings.ts'
import { moveConversation } from './move-conversation.ts'
import { notEnded } from './outcome.ts'
import { lockConversation } from './store.ts'

type UserOf = Pick<ConversationRow, 'agent_id' | 'user_id' | 'channel_id' | 'widget_id'>

/**
 * Opens a conversation again, unless it is open. Pause, assignee, tags and rating stay as they were.
 * @throws ApiError user_blocked
 */
export async function reopenConversation(
  db: Kysely<Tables>,
  id: string,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, id)
    if (conversation.ended_at === null) return conversation
    await refuseIfBlocked(db, conversation)
    const act = { ...by, agentId: conversation.agent_id, at: now, target: `conversation ${id}` }
    await record(db, { ...act, action: 'conversation.reopened' })
    return reopenLocked(db, conversation, now, by)
  })
}

/** Refuses what would open a conversation of a blocked user, or write to them. @throws ApiError user_blocked */
export async function refuseIfBlocked(db: Kysely<Tables>, conversation: UserOf): Promise<void> {
  if (await isOfBlocked(db, conversation)) throw new ApiError('user_blocked')
}

/** Tells whether the user of a conversation is blocked. */
export function isOfBlocked(db: Kysely<Tables>, conversation: UserOf): Promise<boolean> {
  return isBlocked(db, conversation.agent_id, userOfConversation(conversation))
}

/** Opens a conversation that the transaction has locked, unless it is open. Writes no audit. */
export async function reopenLocked(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  now: string,
  { actor }: Pick<Doer, 'actor'>,
): Promise<ConversationRow> {
  const { id, agent_id, ended_at } = conversation
  if (ended_at === null) return conversation
  await addHappening(db, { agent_id, conversation_id: id, kind: 'reopened', by: actor, at: now })
  return moveConversation(db, id, notEnded, now)
}

/** Returns the id of the message after which a conversation was last opened again; 0: it never was. */
export async function lastReopened(db: Kysely<Tables>, conversationId: string): Promise<number> {
  const reopened = await db
    .selectFrom('happenings')
    .select('after_message')
    .where('conversation_id', '=', conversationId)
    .where('kind', '=', 'reopened')
    .orderBy('after_message', 'desc')
    .limit(1)
    .executeTakeFirst()
  return reopened?.after_message ?? 0
}
