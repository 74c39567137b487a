import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { listOf, listQuery, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { errors, idParam, rowNumber, single } from '../../http/schemas.ts'
import { sendJson } from '../../http/send-json.ts'
import type { Server } from '../../http/server.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { userOfConversation } from '../../users/user-key.ts'
import { selectMessagesPage } from '../messages/store.ts'
import { findConversation } from './find-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { internalRoles, presentConversation, presentMessage } from './present.ts'
import { conversationSchema, messageSchema, messagesQuery } from './schemas.ts'
import { selectEarlierPage } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'settledUpTo'>
  /** Gives sources to an id of an end user that an older version has stored. */
  giveSource: (db: Kysely<Tables>, agentId: number, id: string) => Promise<void>
}

const id = idParam('UUID or external id of the conversation.')

/** Returns the answers of a route that reads one conversation. */
function answers<T extends z.ZodType>(data: T) {
  return {
    200: data,
    ...errors('conversation_not_found'),
  }
}

export function conversationRoutes(server: Server, { db, engine, giveSource }: Dependencies): void {
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
}
