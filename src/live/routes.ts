import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError, invalidField } from '../errors.ts'
import { personOf } from '../http/operator-of.ts'
import { includes } from '../http/rights.ts'
import { boundedText, errors, optionalBody, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import type { Hub } from './hub.ts'
import { liveEvents } from './schemas.ts'
import { startOf } from './start-of.ts'

interface Dependencies {
  db: Kysely<Tables>
  hub: Hub
  /** Called when a person looks at a conversation. */
  lookedAt: (conversationId: string, operatorId: number) => Promise<unknown>
}

const tags = ['live']

export const liveQuery = z.object({
  conversation_id: z
    .string()
    .optional()
    .describe('UUID or external id: only what happens in this conversation.'),
  after: z
    .string()
    .optional()
    .describe(
      'The `id` of an event: what came after it is told first. The header `Last-Event-ID` does the same.',
    ),
})

export const typingBody = z.strictObject({
  typing: z.boolean().default(true).describe('False: they no longer write.'),
  author: boundedText(200).optional().describe('Who writes; only tokens may name somebody.'),
})

export const presenceBody = z.strictObject({
  present: z.boolean().default(true).describe('False: they no longer look.'),
})

/** Routes that stream events as they happen. */
export function liveRoutes(server: Server, { db, hub, lookedAt }: Dependencies): void {
  server.get(
    '/live',
    {
      config: { right: 'chat', isUse: false },
      exposeHeadRoute: false,
      schema: {
        summary: 'Events as they happen (server-sent events)',
        description:
          'Without `conversation_id` all of the agent, which needs the right `read`. With the right `chat` a stream ' +
          'carries what end users see.',
        tags,
        querystring: liveQuery,
        headers: z.looseObject({
          'last-event-id': z.string().optional().describe('The `id` of the last event that was read.'),
        }),
        response: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: liveEvents } } },
          ...errors('conversation_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { caller, query } = request
      const isSite = !includes(caller.right, 'read')
      if (isSite && query.conversation_id === undefined)
        throw invalidField('conversation_id', 'is needed with the right chat')
      const start = startOf(request, query.after)
      const conversation =
        query.conversation_id === undefined ? null : await findConversation(db, caller, query.conversation_id)
      const { agentId, admission, scope } = caller
      const conversationId = conversation?.id ?? null
      const operatorId = personOf(caller)
      const view = isSite ? 'site' : 'team'
      await hub.open(reply, { agentId, conversationId, view, operatorId, admission, scope }, start)
    },
  )

  server.post(
    '/conversations/:id/live/replay',
    {
      config: { right: 'read' },
      schema: {
        summary: 'Tell the answers that are being made in a conversation once more, from their beginning',
        description:
          'For clients that open a conversation in the middle of an answer. Live streams of the agent send ' +
          '`message_delta` from `offset` 0 on: the text at an offset replaces what was read there.',
        tags,
        params: conversationId,
        body: optionalBody(z.strictObject({})),
        response: {
          204: z.null().describe('It is told if an answer is being made.'),
          ...errors('conversation_not_found'),
        },
      },
    },
    async ({ caller, params }, reply) => {
      const { id: conversationId } = await findConversation(db, caller, params.id)
      hub.pieces.sendAgain({ agentId: caller.agentId, conversationId })
      return reply.code(204).send(null)
    },
  )

  server.post(
    '/conversations/:id/typing',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'sendTyping',
        summary: 'Show that a person writes; it is kept nowhere and ends after eight seconds',
        tags,
        params: conversationId,
        body: optionalBody(typingBody),
        response: { 200: single(z.object({ typing: z.boolean() })), ...errors('conversation_not_found') },
      },
    },
    async ({ caller, params, body }) => {
      const { actor, displayName, agentId } = caller
      if (actor.kind === 'operator' && body.author !== undefined)
        throw invalidField('author', 'is the name of the person who is signed in: only tokens name one')
      const { id: conversationId } = await findConversation(db, caller, params.id)
      const name = actor.kind === 'operator' ? actor.name : (body.author ?? null)
      const by = { kind: actor.kind, id: actor.id, name, shownName: displayName ?? name }
      hub.company.show({ agentId, conversationId, type: 'typing', by }, body.typing)
      return { data: { typing: body.typing } }
    },
  )

  server.post(
    '/conversations/:id/presence',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'sendPresence',
        summary: 'Show that the person who is signed in looks at a conversation; it ends after 45 seconds',
        tags,
        params: conversationId,
        body: optionalBody(presenceBody),
        response: {
          200: single(z.object({ present: z.boolean() })),
          ...errors('operator_needed', 'conversation_not_found'),
        },
      },
    },
    async ({ caller, params, body }) => {
      const { actor, displayName: shownName, agentId } = caller
      if (actor.kind !== 'operator') throw new ApiError('operator_needed')
      const { id: conversationId } = await findConversation(db, caller, params.id)
      const by = { ...actor, shownName }
      hub.company.show({ agentId, conversationId, type: 'presence', by }, body.present)
      if (body.present) await lookedAt(conversationId, actor.id)
      return { data: { present: body.present } }
    },
  )
}
