import { z } from 'zod'
import type { Limit } from '../../http/rate-limits.ts'
import type { Server } from '../../http/server.ts'
import { timestamp } from '../../lib/clock.ts'
import {
  flagCompletion,
  giveFeedback,
  likeCompletion,
  recordClick,
} from '../../transcripts/completions/react.ts'
import { clickBody, feedbackBody, flagBody, likeBody } from '../../transcripts/completions/schemas.ts'
import {
  presentCompletionToVisitor,
  visitorCompletion,
} from '../../transcripts/messages/present-to-visitors.ts'
import type { CompletionRow } from '../../transcripts/tables.ts'
import { findOwnCompletion } from './own.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { answers, params, tags } from './protocol-schemas.ts'

const completionId = params.extend({ id: z.string().describe('UUID of the completion.') })

const reaction = answers(visitorCompletion.extend({ id: z.string() }))

/** Adds the routes by which a visitor reacts to an answer. */
export function reactionRoutes(
  scope: Server,
  { db, clock, lessons }: ProtocolDependencies,
  act: { preHandler: Limit },
): void {
  scope.post(
    '/completions/:id/like',
    {
      ...act,
      schema: {
        operationId: 'likeVisitorCompletion',
        summary: 'Like an answer, dislike it, or neither',
        tags,
        params: completionId,
        body: likeBody,
        response: reaction,
      },
    },
    async ({ visitor, params, body }) => {
      const row = await findOwnCompletion(db, visitor, params.id)
      return presentReaction(await likeCompletion(db, lessons, row, body, timestamp(clock())))
    },
  )

  scope.post(
    '/completions/:id/flag',
    {
      ...act,
      schema: {
        operationId: 'flagVisitorCompletion',
        summary: 'Flag an answer, or no longer',
        tags,
        params: completionId,
        body: flagBody,
        response: reaction,
      },
    },
    async ({ visitor, params, body }) => {
      const row = await findOwnCompletion(db, visitor, params.id)
      return presentReaction(await flagCompletion(db, row, body, timestamp(clock())))
    },
  )

  scope.post(
    '/completions/:id/feedback',
    {
      ...act,
      schema: {
        operationId: 'giveVisitorFeedback',
        summary: 'Say something about an answer',
        tags,
        params: completionId,
        body: feedbackBody,
        response: reaction,
      },
    },
    async ({ visitor, params, body }) => {
      const row = await findOwnCompletion(db, visitor, params.id)
      return presentReaction(await giveFeedback(db, row, body, timestamp(clock())))
    },
  )

  scope.post(
    '/completions/:id/clicks',
    {
      ...act,
      schema: {
        operationId: 'recordVisitorClick',
        summary: 'Record that the visitor clicked something of an answer',
        tags,
        params: completionId,
        body: clickBody,
        response: reaction,
      },
    },
    async ({ visitor, params, body }) => {
      const row = await findOwnCompletion(db, visitor, params.id)
      await recordClick(db, row, body, timestamp(clock()))
      return presentReaction(row)
    },
  )
}

function presentReaction(row: CompletionRow) {
  return { data: { id: row.id, ...presentCompletionToVisitor(row) } }
}
