import type { Kysely } from 'kysely'
import { byCaller } from '../audit/by-caller.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { presentMessage } from '../transcripts/conversations/present.ts'
import { conversationId, messageSchema } from '../transcripts/conversations/schemas.ts'
import { resendMessage } from './resend-message.ts'

/** Routes for people who see that an answer did not arrive. */
export function resendRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/conversations/:id/messages/:message_id/resend',
      {
        config: { right: 'respond' },
        schema: {
          summary: 'Send a message again that was not delivered through its channel',
          params: conversationId.extend({ message_id: idOfMessage }),
          response: {
            200: single(messageSchema),
            ...errors('conversation_not_found', 'message_not_found', 'message_not_failed'),
          },
        },
      },
      async (request) => {
        const { caller, params } = request
        const conversation = await findConversation(db, caller, params.id)
        const [id, now] = [rowId(params.message_id), timestamp(clock())]
        return { data: presentMessage(await resendMessage(db, conversation, id, now, byCaller(request))) }
      },
    )
  })
}

const idOfMessage = idParam('').shape.id.describe('Id of the message.')
