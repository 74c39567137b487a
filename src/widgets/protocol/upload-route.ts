import multipart from '@fastify/multipart'
import { ApiError } from '../../errors.ts'
import { keepsFiles } from '../../files/keep-file.ts'
import { AROUND_FILE, fileOf, oneFile } from '../../files/routes.ts'
import { NO_CONVERSATION } from '../../files/store.ts'
import { requireMultipart } from '../../http/multipart.ts'
import type { Limit } from '../../http/rate-limits.ts'
import { bodyErrors, errors, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { uploadsAtOnce } from '../../http/uploads-at-once.ts'
import { attachmentSchema } from '../../transcripts/attachments.ts'
import { uploadsOf } from '../schemas.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { params, refusals, tags } from './protocol-schemas.ts'
import { hashOfVisitor } from './visitor.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST_FILE = 10 * MEBIBYTE

/** Adds the route by which a visitor uploads a file for a message. @param limits of uploads */
export function uploadRoute(scope: Server, dependencies: ProtocolDependencies, limits: Limit[]): void {
  const { places, beginUpload, visitorKey } = dependencies
  const fileLimit = Math.min(LARGEST_FILE, dependencies.fileLimit)
  const keepFile = keepsFiles(dependencies)
  // Visitors leave room for the uploads of people who answer.
  const beginOfVisitor = uploadsAtOnce(places.mostWrites / 2, places.mostWrites / 8)
  // In a scope of its own: elsewhere such bodies stay unsupported.
  scope.register(async (scope: Server) => {
    scope.register(multipart, oneFile(fileLimit))
    scope.post(
      '/attachments',
      {
        preHandler: limits,
        schema: {
          operationId: 'uploadVisitorAttachment',
          summary: 'Upload a file for a message: `attachments` of a message names its id',
          description:
            'One file, of 10 MiB at most. A picture is made anew from its pixels. A file that is not sent within an hour is deleted.',
          tags,
          consumes: ['multipart/form-data'],
          params,
          response: { 201: single(attachmentSchema), ...errors(...refusals, ...bodyErrors) },
        },
      },
      async (request, reply) => {
        const { visitor, widget } = request
        const uploads = uploadsOf(widget.row)
        if (uploads === 'off') throw new ApiError('uploads_off')
        requireMultipart(request, fileLimit, AROUND_FILE)
        const { agentId, teamId } = visitor
        using _ofVisitor = beginOfVisitor(teamId)
        using _upload = beginUpload(teamId)
        const { name, bytes } = await fileOf(request, fileLimit)
        const owner = {
          agentId,
          teamId,
          conversationId: NO_CONVERSATION,
          visitor: hashOfVisitor(visitor, visitorKey),
          onlyPictures: uploads === 'images',
        }
        return reply.code(201).send({ data: await keepFile(owner, name, bytes) })
      },
    )
  })
}
