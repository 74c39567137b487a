import { type Kysely, sql } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { changed } from '../../events/changes.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow, RatingRow } from '../tables.ts'
import { addHappening, type HappeningActor } from './happenings.ts'
import { latestCompletion } from './latest-completion.ts'
import { lockConversation } from './store.ts'

interface Rating {
  /** 1 to 5. */
  score: number
  comment: string | null
}

/** Stores an end user's rating that a caller reports. */
export async function rateByCaller(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id'>,
  rating: Rating,
  now: string,
  by: TeamBy,
): Promise<RatingRow> {
  return db.transaction().execute(async (db) => {
    const { id, agent_id: agentId } = conversation
    const target = `conversation ${id}`
    const details = { score: rating.score }
    await record(db, { ...by, agentId, at: now, action: 'conversation.rated', target, details })
    return rateConversation(db, conversation, rating, now, by.actor)
  })
}

/** Stores an end user's rating of a conversation, in place of an earlier one, within a transaction. */
export async function rateConversation(
  db: Kysely<Tables>,
  { id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  { score, comment }: Rating,
  now: string,
  by: HappeningActor,
): Promise<RatingRow> {
  await lockConversation(db, id)
  const completion_id = await latestCompletion(db, id)
  const given = { completion_id, score, comment, redacted: null, created_at: now }
  const rating = await db
    .insertInto('ratings')
    .values({ agent_id, conversation_id: id, ...given })
    .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet(given))
    .returningAll()
    .executeTakeFirstOrThrow()
  const context = { agent_id, conversation_id: id }
  await addHappening(db, { ...context, kind: 'rated', by, at: now, completion_id, details: { score } })
  changed(db, { type: 'conversation', ...context, fields: ['rating'] })
  return rating
}

/** Reads the rating of a conversation; undefined: it has none. */
export async function findRating(db: Kysely<Tables>, conversationId: string): Promise<RatingRow | undefined> {
  return db.selectFrom('ratings').selectAll().where('conversation_id', '=', conversationId).executeTakeFirst()
}

/**
 * Returns a subquery for the score of a conversation; null if nobody rated it.
 * @param conversationId the column of the outer query that holds its id
 */
export function scoreOf(db: Pick<Kysely<Tables>, 'selectFrom'>, conversationId: string) {
  return db
    .selectFrom('ratings')
    .select('score')
    .where('ratings.conversation_id', '=', sql.ref<string>(conversationId))
}

/** Returns a query for the conversations of ratings. */
export function conversationsOfRatings(db: Kysely<Tables>, ids: readonly number[]) {
  return db.selectFrom('ratings').select('conversation_id').where('id', 'in', ids)
}
