import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError, foundOr } from '../errors.ts'
import { errors } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { bindScope } from '../lib/agent-scope.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import type { FileLinks } from './file-links.ts'
import { findAttachment } from './find-attachment.ts'
import type { FilePlace } from './places/file-place.ts'
import { sendFile } from './send-file.ts'
import { conversationOfFile } from './store.ts'

/** Adds the address at which platforms and people read a file that was sent to them, without credentials. */
export function linkRoutes(
  server: Server,
  { db, clock, places, links }: { db: Kysely<Tables>; clock: Clock; places: FilePlace; links: FileLinks },
): void {
  server.get(
    '/files/:agent_id/:file_id',
    {
      exposeHeadRoute: true,
      schema: {
        operationId: 'getLinkedFile',
        summary: 'A file that was sent through a channel, for ten minutes',
        description: 'The address, with its signature, is in what the channel was sent.',
        params: z.object({ agent_id: z.string(), file_id: z.string() }),
        querystring: z.object({ expires: z.string(), signature: z.string() }),
        response: {
          200: z.string(),
          206: z.string(),
          ...errors('invalid_request', 'attachment_not_found', 'range_not_satisfiable', 'unavailable'),
        },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const [agentId, fileId] = [Number(params.agent_id), params.file_id]
      const link = { agentId, fileId, expires: Number(query.expires), signature: query.signature }
      if (!links.isValid(link)) throw new ApiError('attachment_not_found')
      bindScope(agentId)
      const conversationId = foundOr(await conversationOfFile(db, fileId), 'attachment_not_found')
      const found = await findAttachment(db, conversationId, fileId, 'chat', timestamp(clock()))
      await sendFile(request, reply, places, found, false)
    },
  )
}
