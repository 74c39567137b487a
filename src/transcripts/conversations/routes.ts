import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { listOf, listQuery, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { errors, rowNumber, single } from '../../http/schemas.ts'
import { sendJson } from '../../http/send-json.ts'
import type { Server } from '../../http/server.ts'
import type { Tables } from '../../storage/tables.ts'
import { keysOfPerson } from '../../users/person-store.ts'
import { userOfConversation } from '../../users/user-key.ts'
import { findConversation } from './find-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { presentConversation } from './present.ts'
import { conversationId, conversationSchema } from './schemas.ts'
import { selectEarlierPage } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  /** Gives sources to an id of an end user that an older version has stored. */
  giveSource: (db: Kysely<Tables>, agentId: number, id: string) => Promise<void>
}

/** Returns the answers of a route that reads one conversation. */
function answers<T extends z.ZodType>(data: T) {
  return {
    200: data,
    ...errors('conversation_not_found'),
  }
}

export const conversationsQuery = pageQuery.loose().extend({
  snapshot: rowNumber.optional().meta({
    type: 'integer',
    description:
      'The `total` of the first page: conversations opened since are left out, so that no page repeats one.',
  }),
})

export function conversationRoutes(server: Server, { db, giveSource }: Dependencies): void {
  server.get(
    '/conversations',
    {
      config: { right: 'read' },
      schema: {
        summary: "The requesting agent's conversations, newest first",
        querystring: conversationsQuery,
        response: { 200: pageOf(conversationSchema), ...errors('invalid_request') },
      },
    },
    async ({ caller, query }, reply) => {
      return sendJson(reply, await listConversations(db, caller, query))
    },
  )

  server.get(
    '/conversations/:id',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'One conversation',
        params: conversationId,
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
        params: conversationId,
        querystring: listQuery,
        response: answers(listOf(conversationSchema)),
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      // In an older version, users of several sources may have had the same id.
      if (conversation.user_id !== null) await giveSource(db, caller.agentId, conversation.user_id)
      const user_id = userOfConversation(conversation)
      const keys = user_id === null ? [] : await keysOfPerson(db, caller.agentId, user_id)
      const page = await selectEarlierPage(db, conversation, keys, caller.scope, query)
      return presentPage(page, presentConversation)
    },
  )
}
