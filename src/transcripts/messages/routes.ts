import type { Kysely } from 'kysely'
import { listOf, presentPage } from '../../http/paging.ts'
import { errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { findConversation } from '../conversations/find-conversation.ts'
import { presentMessage } from '../conversations/present.ts'
import { conversationId, messageSchema, messagesQuery } from '../conversations/schemas.ts'
import { selectMessagesPage } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'settledUpTo'>
}

export function messageRoutes(server: Server, { db, engine }: Dependencies): void {
  server.get(
    '/conversations/:id/messages',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'The messages of a conversation, oldest first unless `order` says otherwise',
        params: conversationId,
        querystring: messagesQuery,
        response: { 200: listOf(messageSchema), ...errors('conversation_not_found') },
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      const settled = query.after === undefined ? null : await engine.settledUpTo('messages')
      const request = { ...query, settled, isForSite: caller.right === 'chat' }
      const page = await selectMessagesPage(db, conversation.id, request)
      return presentPage(page, presentMessage)
    },
  )
}
