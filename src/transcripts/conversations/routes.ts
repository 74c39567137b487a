import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import type { TeamBy } from '../../audit/record.ts'
import { invalidField } from '../../errors.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { listOf, listQuery, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { errors, errorWith, idParam, rowNumber, single } from '../../http/schemas.ts'
import { sendJson } from '../../http/send-json.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { idempotencyHeader, readIdempotency } from '../../repeats/repeats.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { userOfConversation } from '../../users/user-key.ts'
import type { Lessons } from '../lessons.ts'
import type { ConversationRow } from '../tables.ts'
import { answerAsOperator } from './answer-as-operator.ts'
import type { LockAssignee } from './assign.ts'
import { findConversation } from './find-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { endConversation, pauseConversation, resumeConversation } from './pause-conversation.ts'
import { internalRoles, presentConversation, presentMessage } from './present.ts'
import { reopenConversation } from './reopen-conversation.ts'
import { conversationSchema, messageSchema, messagesQuery, movedData, operatorMessage } from './schemas.ts'
import { selectEarlierPage, selectMessagesPage } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'settledUpTo'>
  clock: Clock
  lockAssignee: LockAssignee
  lessons: Lessons
  /** The key of the hashes by which repeats of answers are recognized. */
  fingerprintKey: string
  /** Gives sources to an id of an end user that an older version has stored. */
  giveSource: (db: Kysely<Tables>, agentId: number, id: string) => Promise<void>
}

const id = idParam('UUID or external id of the conversation.')

/** Returns the answers of a route that reads or changes one conversation. */
function answers<T extends z.ZodType>(data: T) {
  return {
    200: data,
    ...errors('conversation_not_found'),
  }
}

export function conversationRoutes(
  server: Server,
  { db, engine, clock, lockAssignee, lessons, fingerprintKey, giveSource }: Dependencies,
): void {
  server.get(
    '/conversations',
    {
      config: { right: 'read' },
      schema: {
        summary: "The requesting agent's conversations, newest first",
        querystring: pageQuery.loose().extend({
          snapshot: rowNumber.optional().meta({
            type: 'integer',
            description:
              'The `total` of the first page: conversations opened since are left out, so that no page repeats one.',
          }),
        }),
        response: { 200: pageOf(conversationSchema), ...errors('invalid_request') },
      },
    },
    async ({ caller, query }, reply) => {
      return sendJson(reply, await listConversations(db, caller.agentId, query))
    },
  )

  server.get(
    '/conversations/:id',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'One conversation',
        params: id,
        response: answers(single(conversationSchema)),
      },
    },
    async ({ caller, params }) => ({
      data: presentConversation(await findConversation(db, caller, params.id)),
    }),
  )

  server.get(
    '/conversations/:id/earlier',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The conversations that its end user had before it, newest first',
        params: id,
        querystring: listQuery,
        response: answers(listOf(conversationSchema)),
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      // In an older version, users of several sources may have had the same id.
      if (conversation.user_id !== null) await giveSource(db, caller.agentId, conversation.user_id)
      const user_id = userOfConversation(conversation)
      const page = await selectEarlierPage(db, { ...conversation, user_id }, query)
      return presentPage(page, presentConversation)
    },
  )

  server.get(
    '/conversations/:id/messages',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'The messages of a conversation, oldest first unless `order` says otherwise',
        params: id,
        querystring: messagesQuery,
        response: answers(listOf(messageSchema)),
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      const leftOut = caller.right === 'chat' ? internalRoles : []
      const settled = query.after === undefined ? null : await engine.settledUpTo('messages')
      const page = await selectMessagesPage(db, conversation.id, { ...query, settled }, leftOut)
      return presentPage(page, presentMessage)
    },
  )

  server.post(
    '/conversations/:id/messages',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'sendMessage',
        summary: 'Answer as a person: takes the conversation over and pauses the agent in it',
        params: id,
        headers: idempotencyHeader,
        body: operatorMessage,
        response: {
          ...answers(single(messageSchema)),
          409: errorWith(movedData.optional()),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const { displayName } = caller
      if (displayName !== null && body.author !== undefined)
        throw invalidField('author', 'is the name of the person who is signed in: only tokens name one')
      const conversation = await findConversation(db, caller, params.id)
      const { content } = body
      const author = displayName ?? body.author
      // Leaves out `after`: a repeat is the same answer even if its writer has seen more messages.
      const idempotency = readIdempotency(request, [conversation.id, content, author], fingerprintKey)
      const answer = { content, author, after: body.send_anyway ? undefined : body.after, idempotency }
      const by = byCaller(request)
      const { message, isRepeated } = await answerAsOperator(
        db,
        lockAssignee,
        lessons,
        conversation,
        answer,
        clock(),
        by,
      )
      if (isRepeated) reply.header('idempotent-replayed', 'true')
      return { data: presentMessage(message) }
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    changeRoute(
      scope,
      '/conversations/:id/pause',
      'Pause the agent in a conversation and stop the answer that it is making; a person who is signed in takes it over',
      (db, ...change) => pauseConversation(db, lockAssignee, ...change),
    )
    changeRoute(scope, '/conversations/:id/resume', 'Resume the agent in a conversation', resumeConversation)
    changeRoute(scope, '/conversations/:id/end', 'End a conversation', (db, ...change) =>
      endConversation(db, lessons, ...change),
    )
    changeRoute(
      scope,
      '/conversations/:id/reopen',
      'Open a conversation that has ended again',
      reopenConversation,
    )
  })

  function changeRoute(
    scope: Server,
    path: string,
    summary: string,
    change: (db: Kysely<Tables>, id: string, now: string, by: TeamBy) => Promise<ConversationRow>,
  ) {
    scope.post(
      path,
      {
        config: { right: 'respond' },
        schema: { summary, params: id, response: answers(single(conversationSchema)) },
      },
      async (request) => {
        const conversation = await findConversation(db, request.caller, request.params.id)
        const changed = await change(db, conversation.id, timestamp(clock()), byCaller(request))
        return { data: presentConversation(changed) }
      },
    )
  }
}
