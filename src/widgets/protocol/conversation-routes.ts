import { z } from 'zod'
import { endAndAskForRating } from '../../desk/end-conversation.ts'
import type { Limit } from '../../http/rate-limits.ts'
import { errors, optionalBody } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { timestamp } from '../../lib/clock.ts'
import { byUser } from '../../transcripts/conversations/happenings.ts'
import { rateConversation } from '../../transcripts/conversations/rate.ts'
import { ratingBody, ratingSchema } from '../../transcripts/conversations/rating-routes.ts'
import {
  newestOfVisitor,
  readForVisitor,
  visitorConversation,
} from '../../transcripts/conversations/visitor-conversations.ts'
import { askForPerson } from './ask-for-person.ts'
import { pageUrl } from './open-session.ts'
import { findOwnConversation } from './own.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { answers, params, tags } from './protocol-schemas.ts'

/** Adds the routes by which a visitor acts on a conversation. */
export function conversationRoutes(
  scope: Server,
  { db, clock, hub, lessons }: ProtocolDependencies,
  act: { preHandler: Limit },
): void {
  scope.post(
    '/person',
    {
      ...act,
      schema: {
        operationId: 'askForPerson',
        summary: 'Ask for a person: the conversation waits for one',
        tags,
        params,
        body: optionalBody(z.strictObject({ page_url: pageUrl.nullish() })),
        response: answers(visitorConversation),
      },
    },
    async ({ visitor }) => ({
      data: await readForVisitor(db, await askForPerson(db, lessons, visitor, clock())),
    }),
  )

  scope.post(
    '/rating',
    {
      ...act,
      schema: {
        operationId: 'rateVisitorConversation',
        summary: 'Rate a conversation; the last rating counts',
        tags,
        params,
        body: ratingBody.extend({
          conversation_id: z.string().nullish().describe("Absent: the visitor's newest."),
        }),
        response: answers(ratingSchema),
      },
    },
    async ({ visitor, body }) => {
      const conversation = await findOwnConversation(db, visitor, body.conversation_id ?? undefined)
      const given = { score: body.score, comment: body.comment ?? null }
      const { score, comment, created_at } = await db
        .transaction()
        .execute((db) => rateConversation(db, conversation, given, timestamp(clock()), byUser))
      return { data: { score, comment, created_at } }
    },
  )

  scope.post(
    '/typing',
    {
      ...act,
      schema: {
        operationId: 'sendVisitorTyping',
        summary: 'Show to the team that the visitor writes',
        tags,
        params,
        body: optionalBody(z.strictObject({ typing: z.boolean().default(true) })),
        response: answers(z.object({ typing: z.boolean() })),
      },
    },
    async ({ visitor, body: { typing } }) => {
      const conversation = await newestOfVisitor(db, visitor)
      if (conversation?.ended_at !== null) return { data: { typing: false } }
      const { agentId, name } = visitor
      const by = { kind: 'user', id: null, name, shownName: null } as const
      hub.company.show({ agentId, conversationId: conversation.id, type: 'typing', by }, typing)
      return { data: { typing } }
    },
  )

  scope.post(
    '/end',
    {
      ...act,
      schema: {
        operationId: 'endVisitorConversation',
        summary: 'End the newest conversation',
        tags,
        params,
        response: { ...answers(visitorConversation), ...errors('unsupported_media_type') },
      },
    },
    async ({ visitor }) => {
      const { id } = await findOwnConversation(db, visitor, undefined)
      await db
        .transaction()
        .execute((db) => endAndAskForRating(db, id, timestamp(clock()), { actor: byUser }))
      return { data: await readForVisitor(db, id) }
    },
  )
}
