import type { Kysely } from 'kysely'
import { z } from 'zod'
import { closeConversation } from '../../desk/pause-conversation.ts'
import { invalidField } from '../../errors.ts'
import { language } from '../../http/by-language.ts'
import { addressOf, limit, limitAddresses } from '../../http/rate-limits.ts'
import { bodyErrors, errors, optionalBody, rowNumber, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { Hub } from '../../live/hub.ts'
import { visitorEvents } from '../../live/schemas.ts'
import { startOf } from '../../live/start-of.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import {
  flagCompletion,
  giveFeedback,
  likeCompletion,
  recordClick,
} from '../../transcripts/completions/react.ts'
import { clickBody, feedbackBody, flagBody, likeBody } from '../../transcripts/completions/schemas.ts'
import { byUser } from '../../transcripts/conversations/happenings.ts'
import { rateConversation } from '../../transcripts/conversations/rate.ts'
import { ratingBody, ratingSchema } from '../../transcripts/conversations/rating-routes.ts'
import type { VisitorPlace } from '../../transcripts/conversations/visitor-conversations.ts'
import {
  conversationsOfVisitor,
  newestOfVisitor,
  readForVisitor,
  readForVisitors,
  visitorConversation,
} from '../../transcripts/conversations/visitor-conversations.ts'
import {
  presentCompletionToVisitor,
  presentToVisitors,
  visitorCompletion,
  visitorMessage,
} from '../../transcripts/messages/present-to-visitors.ts'
import { selectVisitorPage } from '../../transcripts/messages/visitor-page.ts'
import type { CompletionRow } from '../../transcripts/tables.ts'
import type { PromptDependencies } from '../../turns/requests/answer-prompt.ts'
import { answerVisitor } from './answer-visitor.ts'
import { askForPerson } from './ask-for-person.ts'
import { openSession, pageUrl, sessionBody, sessionQuery, sessionSchema } from './open-session.ts'
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

const tags = ['widget protocol']
const params = z.object({ public_key: z.string().describe("The widget's.") })

/** The errors that every route may return. */
const refusals = [
  'origin_refused',
  'widget_not_found',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const

const messageHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .describe(
      'Names the message: sent again within 24 hours, it gets the first answer and makes nothing new.',
    ),
})

const messageBody = z.strictObject({
  content: z
    .string()
    .max(8000)
    .refine((text) => text.trim() !== '', 'must say something'),
  page_url: pageUrl.nullish(),
  language: language.nullish(),
})

const pageOfMessages = z.object({
  after: rowNumber.optional().describe('The `id` of a message: only those after it.'),
  before: rowNumber.optional().describe('The `id` of a message: only those before it.'),
  conversation_id: z.string().optional().describe("Absent: the visitor's newest."),
  per_page: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform((size) => Math.min(100, Math.max(1, Number(size))))
    .prefault('50'),
})

const liveQuery = z.object({
  conversation_id: z.string().optional().describe("Absent: the visitor's newest."),
  after: z
    .string()
    .optional()
    .describe(
      'The `id` of an event: what came after it is told first. The header `Last-Event-ID` does the same.',
    ),
})

const completionId = params.extend({ id: z.string().describe('UUID of the completion.') })

const answer = z
  .string()
  .describe(
    "Lines of `data:`, each with a chunk in OpenAI's shape; the first has `conversation_id` and `prompt_message_id`, the " +
      'one that carries `finish_reason` has `conversation_id`, `message_id`, `agent_paused`, `citations` and `ctas`. ' +
      '`[DONE]` ends it, or an `error`.',
  )

const reaction = answers(visitorCompletion.extend({ id: z.string() }))

/** Returns the answers of what a visitor does with a conversation or an answer in it. */
function answers<T extends z.ZodType>(data: T) {
  return { 200: single(data), ...errors(...refusals, 'conversation_not_found') }
}

/** Adds the routes that the widget in a page calls, below `/widget/v1/{public_key}`. */
export function widgetProtocol(server: Server, dependencies: Dependencies): void {
  const { db, engine, clock, hub, lessons } = dependencies
  openToPages(server, dependencies)
  const limitSessions = limitAddresses(server, 'widget session', SESSIONS_OF_ADDRESS)

  server.post(
    '/sessions',
    {
      schema: {
        operationId: 'beginVisitorSession',
        summary: 'Begin or renew the session of a visitor; nothing is stored',
        description:
          'Needs an `Origin` that the widget allows, as every POST here does. A program that is no web page has to set it itself.',
        tags,
        params,
        body: sessionBody,
        querystring: sessionQuery,
        response: { 200: single(sessionSchema), ...errors(...refusals, ...bodyErrors) },
      },
      preHandler: limitSessions,
    },
    async ({ widget, body, query }) => ({
      data: await openSession(dependencies, widget, body, query.shown, clock()),
    }),
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
      {
        schema: {
          operationId: 'sendVisitorMessage',
          summary: 'Say something in the newest conversation, or in a new one; the answer is a stream',
          tags,
          params,
          headers: messageHeaders,
          body: messageBody,
          response: {
            200: {
              description: 'The answer as it is made.',
              content: { 'text/event-stream': { schema: answer } },
            },
            ...errors(
              ...refusals,
              ...(['idempotency_key_reused', 'idempotency_in_progress'] as const),
              ...(['model_failed', 'masking_failed'] as const),
            ),
          },
        },
        preHandler: [limitPrompts, limitAddress],
      },
      async (request, reply) => {
        const { visitor, body, headers } = request
        await answerVisitor(dependencies, visitor, body, headers['idempotency-key'], request, reply)
      },
    )

    scope.get(
      '/messages',
      {
        schema: {
          operationId: 'listVisitorMessages',
          summary: 'Messages of a conversation of the visitor, oldest first',
          tags,
          params,
          querystring: pageOfMessages,
          response: {
            200: z.object({ data: z.array(visitorMessage), more: z.boolean() }),
            ...errors(...refusals, 'conversation_not_found'),
          },
        },
      },
      async ({ visitor, query }) => {
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
      },
    )

    scope.get(
      '/conversations',
      {
        schema: {
          operationId: 'listVisitorConversations',
          summary: `The newest ${CONVERSATIONS_SHOWN} conversations of the visitor, newest first`,
          tags,
          params,
          response: { 200: single(z.array(visitorConversation)), ...errors(...refusals) },
        },
      },
      async ({ visitor }) => {
        const rows = await conversationsOfVisitor(db, visitor, CONVERSATIONS_SHOWN)
        const shown = await readForVisitors(
          db,
          rows.map(({ id }) => id),
        )
        return { data: rows.flatMap(({ id }) => shown.get(id) ?? []) }
      },
    )

    scope.get(
      '/live',
      {
        exposeHeadRoute: false,
        schema: {
          operationId: 'getVisitorLive',
          summary: 'What happens in a conversation of the visitor, as it happens (server-sent events)',
          tags,
          params,
          querystring: liveQuery,
          headers: z.looseObject({
            'last-event-id': z.string().optional().describe('The `id` of the last event that was read.'),
          }),
          response: {
            200: { description: 'The stream.', content: { 'text/event-stream': { schema: visitorEvents } } },
            ...errors(...refusals, 'conversation_not_found'),
          },
        },
      },
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
        return presentReaction(await likeCompletion(db, lessons, row, body.liked, timestamp(clock())))
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
        const { flagged, reason = null } = body
        return presentReaction(await flagCompletion(db, row, flagged, reason, timestamp(clock())))
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
        const { feedback, score = null } = body
        return presentReaction(await giveFeedback(db, row, feedback, score, timestamp(clock())))
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
        await recordClick(db, row, body.kind, body.target, timestamp(clock()))
        return presentReaction(row)
      },
    )

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
          .execute((db) => closeConversation(db, id, timestamp(clock()), { actor: byUser }))
        return { data: await readForVisitor(db, id) }
      },
    )
  })
}

function presentReaction(row: CompletionRow) {
  return { data: { id: row.id, ...presentCompletionToVisitor(row) } }
}
