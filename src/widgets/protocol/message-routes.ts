import { z } from 'zod'
import { invalidField } from '../../errors.ts'
import { language } from '../../http/by-language.ts'
import { addressOf, type Limit } from '../../http/rate-limits.ts'
import { errors, rowNumber, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { visitorEvents } from '../../live/schemas.ts'
import { startOf } from '../../live/start-of.ts'
import {
  conversationsOfVisitor,
  newestOfVisitor,
  readForVisitors,
  visitorConversation,
} from '../../transcripts/conversations/visitor-conversations.ts'
import { presentToVisitors, visitorMessage } from '../../transcripts/messages/present-to-visitors.ts'
import { selectVisitorPage } from '../../transcripts/messages/visitor-page.ts'
import { answerVisitor } from './answer-visitor.ts'
import { pageUrl } from './open-session.ts'
import { findOwnConversation } from './own.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { params, refusals, tags } from './protocol-schemas.ts'

const CONVERSATIONS_SHOWN = 20

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
  content: z.string().max(8000).default('').describe('Not required with `attachments`.'),
  attachments: z
    .array(z.uuid())
    .max(5)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a file twice')
    .default([])
    .describe('The ids of files that this visitor has uploaded and not sent yet, in their order.'),
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

const answer = z
  .string()
  .describe(
    "Lines of `data:`, each with a chunk in OpenAI's shape; the first has `conversation_id` and `prompt_message_id`, the " +
      'one that carries `finish_reason` has `conversation_id`, `message_id`, `agent_paused`, `citations` and `ctas`. ' +
      '`[DONE]` ends it, or an `error`.',
  )

/** Adds the routes by which a visitor says something, and reads and hears what is said. @param limits of messages */
export function messageRoutes(scope: Server, dependencies: ProtocolDependencies, limits: Limit[]): void {
  const { db, engine, hub } = dependencies

  scope.post(
    '/messages',
    {
      schema: {
        operationId: 'sendVisitorMessage',
        summary: 'Send a message to the newest conversation, or to a new one; the answer is a stream',
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
      preHandler: limits,
    },
    async (request, reply) => {
      const { visitor, body, headers } = request
      if (body.content.trim() === '' && body.attachments.length === 0)
        throw invalidField('content', 'must say something')
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
        summary: 'Events of a conversation of the visitor as they happen (server-sent events)',
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
}
