import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { boundedText, errors, single, time } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import type { RatingRow } from '../tables.ts'
import { findConversation } from './find-conversation.ts'
import { findRating, rateByCaller } from './rate.ts'
import { conversationId } from './schemas.ts'

export const ratingSchema = z
  .object({
    score: z.int().min(1).max(5),
    comment: z.string().nullable(),
    created_at: time.describe('When the conversation was last rated.'),
  })
  .meta({ id: 'Rating' })

/** A rating of 1 to 5, with an optional comment. */
export const ratingBody = z.strictObject({
  score: z.int().min(1).max(5).describe('1 (worst) to 5 (best).'),
  comment: boundedText(10_000).min(1).nullable().optional(),
})

const refusals = errors('conversation_not_found')

export function ratingRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/conversations/:id/rating',
    {
      config: { right: 'read' },
      schema: {
        summary: 'How the end user rated a conversation',
        params: conversationId,
        response: { 200: single(ratingSchema.nullable()), ...refusals },
      },
    },
    async ({ caller, params }) => {
      const conversation = await findConversation(db, caller, params.id)
      const rating = await findRating(db, conversation.id)
      return { data: rating ? presentRating(rating) : null }
    },
  )

  server.post(
    '/conversations/:id/rating',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'rateConversation',
        summary: 'Rate a conversation for its end user; the last rating counts',
        params: conversationId,
        body: ratingBody,
        response: { 200: single(ratingSchema), ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const conversation = await findConversation(db, caller, params.id)
      const rating = { score: body.score, comment: body.comment ?? null }
      const now = timestamp(clock())
      return { data: presentRating(await rateByCaller(db, conversation, rating, now, byCaller(request))) }
    },
  )
}

function presentRating({ score, comment, created_at }: RatingRow): z.output<typeof ratingSchema> {
  return { score, comment, created_at }
}
