import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { presentMessage } from '../conversations/present.ts'
import { lockConversation } from '../conversations/store.ts'

/** The most messages that the error contains. */
const MOST_TOLD = 100

/**
 * Refuses an answer if a person or the agent has answered since its writer last looked. Call it in the transaction that
 * stores the answer: it locks the conversation, so that answers follow each other.
 * @param after id of the last message that the writer saw
 * @throws ApiError conversation_moved, with the messages that came
 */
export async function refuseIfMoved(
  db: Kysely<Tables>,
  conversationId: string,
  after: number,
): Promise<void> {
  await lockConversation(db, conversationId)
  const since = db
    .selectFrom('messages')
    .where('conversation_id', '=', conversationId)
    .where('id', '>', after)
    .where('withheld', '=', 0)
  const answer = await since
    .select('id')
    .where('role', 'in', ['assistant', 'operator'])
    // A call of a tool says nothing to anyone.
    .where('round', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!answer) return
  const rows = await since.selectAll().orderBy('id').limit(MOST_TOLD).execute()
  throw new ApiError('conversation_moved', { data: { messages: rows.map(presentMessage) } })
}
