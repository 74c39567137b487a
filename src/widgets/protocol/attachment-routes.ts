import { z } from 'zod'
import { findAttachment } from '../../files/find-attachment.ts'
import { attachmentQuery, sendFile } from '../../files/send-file.ts'
import type { Limit } from '../../http/rate-limits.ts'
import { errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { timestamp } from '../../lib/clock.ts'
import { findOwnConversation } from './own.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { params, refusals, tags } from './protocol-schemas.ts'

/** Adds the route by which a visitor reads the files of their messages. */
export function attachmentRoutes(
  scope: Server,
  { db, clock, places }: ProtocolDependencies,
  act: { preHandler: Limit },
): void {
  scope.get(
    '/conversations/:conversation_id/attachments/:attachment_id',
    {
      ...act,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getVisitorAttachment',
        summary: 'A file of a message, or a range of its bytes',
        tags,
        params: params.extend({ conversation_id: z.string(), attachment_id: z.string() }),
        querystring: attachmentQuery,
        response: {
          200: z.string(),
          206: z.string(),
          ...errors(...refusals, 'conversation_not_found', 'attachment_not_found', 'range_not_satisfiable'),
        },
      },
    },
    async (request, reply) => {
      const { visitor, query } = request
      const { conversation_id, attachment_id } = request.params
      const { id } = await findOwnConversation(db, visitor, conversation_id)
      const found = await findAttachment(db, id, attachment_id, 'chat', timestamp(clock()))
      await sendFile(request, reply, places, found, query.preview)
    },
  )
}
