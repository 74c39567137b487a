import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { PromptDependencies } from '../chat/answer-prompt.ts'
import { ApiError, invalidField } from '../errors.ts'
import { language } from '../http/by-language.ts'
import { addressOf, limit, limitAddresses } from '../http/rate-limits.ts'
import { optionalBody, rowNumber } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Hub } from '../live/hub.ts'
import { startOf } from '../live/start-of.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import {
  flagCompletion,
  giveFeedback,
  likeCompletion,
  recordClick,
} from '../transcripts/completions/react.ts'
import { clickBody, feedbackBody, flagBody, likeBody } from '../transcripts/completions/schemas.ts'
import { byUser } from '../transcripts/conversations/happenings.ts'
import { closeConversation } from '../transcripts/conversations/pause-conversation.ts'
import { rateConversation } from '../transcripts/conversations/rate.ts'
import { ratingBody } from '../transcripts/conversations/rating-routes.ts'
import type { VisitorPlace } from '../transcripts/conversations/visitor-conversations.ts'
import {
  conversationsOfVisitor,
  newestOfVisitor,
  readForVisitor,
  readForVisitors,
} from '../transcripts/conversations/visitor-conversations.ts'
import { presentCompletionToVisitor, presentToVisitors } from '../transcripts/messages/present-to-visitors.ts'
import { selectVisitorPage } from '../transcripts/messages/visitor-page.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import { answerVisitor } from './answer-visitor.ts'
import { askForPerson } from './ask-for-person.ts'
import { openSession, pageUrl, sessionBody } from './open-session.ts'
import { findOwnCompletion, findOwnConversation } from './own.ts'
import { openToPages, requireVisitor } from './protocol-scope.ts'

interface Dependencies extends PromptDependencies {
  db: Kysely<Tables>
  engine: PromptDependencies['engine'] & Pick<Engine, 'settledUpTo'>
  box: SecretBox
  clock: Clock
  hub: Hub
  publicUrl: string | null
  tokenKey: string
}

/** Limits of requests a minute. */
const SESSIONS_OF_ADDRESS = 60
const PROMPTS_OF_VISITOR = 20
const PROMPTS_OF_ADDRESS = 60
const OTHERS_OF_VISITOR = 120

const CONVERSATIONS_SHOWN = 20

const messageBody = z.strictObject({
  content: z
    .string()
    .max(8000)
    .refine((text) => text.trim() !== '', 'must say something'),
  page_url: pageUrl.nullish(),
  language: language.nullish(),
})

const pageOfMessages = z.object({
  after: rowNumber.optional(),
  before: rowNumber.optional(),
  conversation_id: z.string().optional(),
  per_page: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform((size) => Math.min(100, Math.max(1, Number(size))))
    .prefault('50'),
})

const liveQuery = z.object({ conversation_id: z.string().optional(), after: z.string().optional() })

const completionId = z.object({ public_key: z.string(), id: z.string() })

/** Adds the routes that the widget in a page calls, below `/widget/v1/{public_key}`. */
export function widgetProtocol(server: Server, dependencies: Dependencies): void {
  const { db, engine, clock, hub } = dependencies
  openToPages(server, dependencies)
  const limitSessions = limitAddresses(server, 'widget session', SESSIONS_OF_ADDRESS)

  server.post(
    '/sessions',
    { schema: { body: sessionBody }, preHandler: limitSessions },
    async ({ widget, body }) => ({ data: await openSession(dependencies, widget, body, clock()) }),
  )

  server.register(async (scope: Server) => {
    requireVisitor(scope, dependencies)
    const byVisitor = ({ visitor: { widgetId, userKey } }: { visitor: VisitorPlace }) =>
      `${widgetId} ${userKey}`
    const limitPrompts = limit(scope, PROMPTS_OF_VISITOR, (request) => `prompt ${byVisitor(request)}`)
    const limitAddress = limitAddresses(scope, 'widget prompt', PROMPTS_OF_ADDRESS)
    const limitOthers = limit(scope, OTHERS_OF_VISITOR, (request) => `act ${byVisitor(request)}`)
    const act = { preHandler: limitOthers }

    scope.post(
      '/messages',
      { schema: { body: messageBody }, preHandler: [limitPrompts, limitAddress] },
      (request, reply) => {
        const key = request.headers['idempotency-key']
        if (typeof key !== 'string' || key.length === 0 || key.length > 255)
          throw new ApiError('invalid_request', { message: 'Idempotency-Key must have 1 to 255 characters.' })
        return answerVisitor(dependencies, request.visitor, request.body, key, request, reply)
      },
    )

    scope.get('/messages', { schema: { querystring: pageOfMessages } }, async ({ visitor, query }) => {
      const { after, before, per_page: size, conversation_id } = query
      if (after !== undefined && before !== undefined)
        throw invalidField('before', 'cannot be sent together with after')
      const conversation =
        conversation_id === undefined
          ? await newestOfVisitor(db, visitor)
          : await findOwnConversation(db, visitor, conversation_id)
      if (!conversation) return { data: [], more: false }
      const settled = after === undefined ? null : await engine.settledUpTo('messages')
      const { rows, more } = await selectVisitorPage(db, conversation.id, { after, before, size, settled })
      return { data: await presentToVisitors(db, rows), more }
    })

    scope.get('/conversations', async ({ visitor }) => {
      const rows = await conversationsOfVisitor(db, visitor, CONVERSATIONS_SHOWN)
      const shown = await readForVisitors(
        db,
        rows.map(({ id }) => id),
      )
      return { data: rows.flatMap(({ id }) => shown.get(id) ?? []) }
    })

    scope.get(
      '/live',
      { schema: { querystring: liveQuery }, exposeHeadRoute: false },
      async (request, reply) => {
        const { visitor, query } = request
        const { agentId, admission } = visitor
        const start = startOf(request, query.after)
        const { id: conversationId } = await findOwnConversation(db, visitor, query.conversation_id)
        await hub.open(
          reply,
          {
            agentId,
            conversationId,
            view: 'visitor',
            operatorId: null,
            admission,
            address: addressOf(request),
          },
          start,
        )
      },
    )

    scope.post(
      '/completions/:id/like',
      { ...act, schema: { params: completionId, body: likeBody } },
      async ({ visitor, params, body }) => {
        const row = await findOwnCompletion(db, visitor, params.id)
        return presentReaction(await likeCompletion(db, row, body.liked, timestamp(clock())))
      },
    )

    scope.post(
      '/completions/:id/flag',
      { ...act, schema: { params: completionId, body: flagBody } },
      async ({ visitor, params, body }) => {
        const row = await findOwnCompletion(db, visitor, params.id)
        const { flagged, reason = null } = body
        return presentReaction(await flagCompletion(db, row, flagged, reason, timestamp(clock())))
      },
    )

    scope.post(
      '/completions/:id/feedback',
      { ...act, schema: { params: completionId, body: feedbackBody } },
      async ({ visitor, params, body }) => {
        const row = await findOwnCompletion(db, visitor, params.id)
        const { feedback, score = null } = body
        return presentReaction(await giveFeedback(db, row, feedback, score, timestamp(clock())))
      },
    )

    scope.post(
      '/completions/:id/clicks',
      { ...act, schema: { params: completionId, body: clickBody } },
      async ({ visitor, params, body }) => {
        const row = await findOwnCompletion(db, visitor, params.id)
        await recordClick(db, row, body.kind, body.target, timestamp(clock()))
        return presentReaction(row)
      },
    )

    scope.post(
      '/person',
      { ...act, schema: { body: optionalBody(z.strictObject({ page_url: pageUrl.nullish() })) } },
      async ({ visitor }) => ({
        data: await readForVisitor(db, await askForPerson(db, visitor, clock())),
      }),
    )

    scope.post(
      '/rating',
      { ...act, schema: { body: ratingBody.extend({ conversation_id: z.string().nullish() }) } },
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
      { ...act, schema: { body: optionalBody(z.strictObject({ typing: z.boolean().default(true) })) } },
      async ({ visitor, body: { typing } }) => {
        const conversation = await newestOfVisitor(db, visitor)
        if (conversation?.ended_at !== null) return { data: { typing: false } }
        const { agentId, name } = visitor
        const by = { kind: 'user', id: null, name, shownName: null } as const
        hub.company.show({ agentId, conversationId: conversation.id, type: 'typing', by }, typing)
        return { data: { typing } }
      },
    )

    scope.post('/end', act, async ({ visitor }) => {
      const { id } = await findOwnConversation(db, visitor, undefined)
      await db.transaction().execute((db) => closeConversation(db, id, timestamp(clock()), { actor: byUser }))
      return { data: await readForVisitor(db, id) }
    })
  })
}

function presentReaction(row: CompletionRow) {
  return { data: { id: row.id, ...presentCompletionToVisitor(row) } }
}
