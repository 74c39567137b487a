import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

type Db = Kysely<Tables>

/** Reads when the user of a conversation was last asked for a rating in their channel, and by which message. */
export async function lastRatingRequest(db: Db, conversationId: string) {
  return db
    .selectFrom('rating_requests')
    .select(['message_id', 'asked_at'])
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
}

/** Notes that the user of a locked conversation is asked for a rating. */
export async function noteRatingRequest(
  db: Db,
  conversation_id: string,
  request: { agent_id: number; message_id: number; asked_at: string },
): Promise<void> {
  await db
    .insertInto('rating_requests')
    .values({ conversation_id, ...request })
    .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet(request))
    .execute()
}
