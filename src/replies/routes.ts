import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { boundedText, errors, idParam, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { selectKnownUser } from '../users/known-users.ts'
import { userOfConversation } from '../users/user-key.ts'
import { fillReply, variablesOf } from './fill-reply.ts'
import { changeReply, createReply, removeReply, replyVersion } from './save-reply.ts'
import { selectReplies, wordsOf } from './store.ts'
import type { ReplyRow } from './tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
}

export const newReply = z.strictObject({
  shortcut: z
    .string()
    .max(64)
    .regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u, 'must be a word of letters, digits, _, . and -')
    .describe('By which it is found, such as `refund`; unique in the agent, whatever the case.'),
  content: z
    .string()
    .min(1)
    .max(20_000)
    .describe('May hold `{user.name}`, `{operator.name}` and `{tags.x}`, the tag `x` of the conversation.'),
  tags: z.array(boundedText(64).min(1)).max(20).default([]).describe('Words to find it by.'),
})
export const replyPatch = newReply
  .extend({ tags: newReply.shape.tags.unwrap(), version: sentVersion })
  .partial()

export const replySchema = z
  .object({
    id: z.int(),
    shortcut: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Reply' })

export const filledSchema = replySchema
  .extend({
    content: z.string().describe('With the values of the conversation in the place of variables.'),
    unfilled: z
      .array(z.string())
      .describe('Names of the variables that have no value and stand as they are.'),
  })
  .meta({ id: 'FilledReply' })

export const repliesQuery = listQuery.extend({
  q: boundedText(200)
    .optional()
    .describe('Words, all of which stand in the shortcut, the content or the tags.'),
})

const id = idParam('Id of the canned reply.')

/** Adds the routes of canned replies. */
export function replyRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock } = dependencies

  server.get(
    '/replies',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's canned replies, newest first",
        querystring: repliesQuery,
        response: { 200: listOf(replySchema) },
      },
    },
    async ({ caller, query }) =>
      presentPage(await selectReplies(db, caller.agentId, wordsOf(query.q), query), presentReply),
  )

  server.post(
    '/replies',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Add a canned reply',
        body: newReply,
        response: { 201: single(replySchema), ...errors('shortcut_taken', 'too_many_replies') },
      },
    },
    async (request, response) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const made = await createReply(dependencies, caller.agentId, body, now, byCaller(request))
      return response.code(201).send({ data: presentReply(made) })
    },
  )

  server.patch(
    '/replies/:id',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Change a canned reply field by field',
        params: id,
        body: replyPatch,
        response: {
          200: single(replySchema),
          ...errors('version_outdated', 'reply_not_found', 'shortcut_taken'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const changed = await changeReply(dependencies, caller.agentId, params.id, body, now, byCaller(request))
      return { data: presentReply(changed) }
    },
  )

  deleteRoute(
    server,
    '/replies/:id',
    'respond',
    { summary: 'Delete a canned reply', params: id, response: errors('reply_not_found') },
    ({ caller, params }, by) => removeReply(dependencies, caller.agentId, params.id, timestamp(clock()), by),
  )

  server.get(
    '/conversations/:id/replies',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's canned replies as they read in a conversation, newest first",
        tags: ['replies'],
        params: conversationId,
        querystring: repliesQuery,
        response: { 200: listOf(filledSchema), ...errors('conversation_not_found') },
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      const key = userOfConversation(conversation)
      const [user] = key === null ? [] : await selectKnownUser(db, { agent_id: caller.agentId, id: key })
      const variables = variablesOf({
        userName: user?.name ?? null,
        operatorName: caller.displayName,
        tags: conversation.tags === null ? null : (JSON.parse(conversation.tags) as Record<string, unknown>),
      })
      const replies = await selectReplies(db, caller.agentId, wordsOf(query.q), query)
      return presentPage(replies, (row) => ({ ...presentReply(row), ...fillReply(row.content, variables) }))
    },
  )
}

function presentReply(row: ReplyRow): z.output<typeof replySchema> {
  const { id, shortcut, content, tags, created_at, updated_at } = row
  const version = replyVersion(row)
  return { id, shortcut, content, tags: JSON.parse(tags) as string[], version, created_at, updated_at }
}
