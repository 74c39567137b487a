import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError, invalidField } from '../errors.ts'
import { refusalOfMultipart, requireMultipart, tooLarge } from '../http/multipart.ts'
import { bodyErrors, errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { BeginUpload } from '../http/uploads-at-once.ts'
import { timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { selectChannel } from '../mailboxes/channel-store.ts'
import { type Attachment, attachmentSchema } from '../transcripts/attachments.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { findAttachment } from './find-attachment.ts'
import { type FileDependencies, keepsFiles } from './keep-file.ts'
import { attachmentQuery, sendFile } from './send-file.ts'
import { NO_CONVERSATION } from './store.ts'

/** The bytes that a body may have beside its file. */
export const AROUND_FILE = 16 * 1024

const ABOUT_UPLOADS =
  'One file, of 25 MiB at most unless PARLEY_FILE_LIMIT says otherwise. A picture is made anew from its pixels, without what a camera wrote into it. A file that is not sent within a day is deleted.'

/** Adds the routes by which people upload files for their answers, and read those of messages. */
export function fileRoutes(
  server: Server,
  dependencies: FileDependencies & {
    beginUpload: BeginUpload
    /** Bytes. */
    fileLimit: number
  },
): void {
  const { db, clock, places, beginUpload, fileLimit } = dependencies
  const keepFile = keepsFiles(dependencies)
  const upload = async (request: FastifyRequest, conversationId: string): Promise<Attachment> => {
    const { agentId, teamId } = request.caller
    requireMultipart(request, fileLimit, AROUND_FILE)
    using _upload = beginUpload(teamId)
    const { name, bytes } = await fileOf(request, fileLimit)
    return keepFile({ agentId, teamId, conversationId }, name, bytes)
  }
  // In a scope of its own: elsewhere such bodies stay unsupported.
  server.register(async (scope: Server) => {
    scope.register(multipart, oneFile(fileLimit))
    scope.post(
      '/conversations/:id/attachments',
      {
        config: { right: 'respond' },
        schema: {
          operationId: 'uploadAttachment',
          summary: 'Upload a file for an answer: `attachments` of a message names its id',
          description: ABOUT_UPLOADS,
          consumes: ['multipart/form-data'],
          params: conversationId,
          response: {
            201: single(attachmentSchema),
            ...errors('conversation_not_found', ...bodyErrors),
          },
        },
      },
      async (request, reply) => {
        const conversation = await findConversation(db, request.caller, request.params.id)
        return reply.code(201).send({ data: await upload(request, conversation.id) })
      },
    )
    scope.post(
      '/channels/:id/attachments',
      {
        config: { right: 'respond' },
        schema: {
          operationId: 'uploadFirstAttachment',
          summary: 'Upload a file for a message to somebody who has no conversation yet',
          description: `\`attachments\` of the \`message\` of \`POST /conversations\` names its id. ${ABOUT_UPLOADS}`,
          consumes: ['multipart/form-data'],
          params: idParam('Channel id.'),
          response: {
            201: single(attachmentSchema),
            ...errors('channel_not_found', ...bodyErrors),
          },
        },
      },
      async (request, reply) => {
        const [channel] = await selectChannel(db, { id: rowId(request.params.id) })
        if (channel?.agent_id !== request.caller.agentId) throw new ApiError('channel_not_found')
        return reply.code(201).send({ data: await upload(request, NO_CONVERSATION) })
      },
    )
  })

  server.get(
    '/conversations/:id/attachments/:attachment_id',
    {
      config: { right: 'chat' },
      exposeHeadRoute: false,
      schema: {
        operationId: 'getAttachment',
        summary: 'A file of a message, or a range of its bytes',
        description:
          'Browsers show pictures, sounds, videos and PDF files in place, and save any other file. `preview=true`: a small copy of a picture, at most 640 pixels wide and high.',
        params: conversationId.extend({ attachment_id: z.string().describe('UUID of the attachment.') }),
        querystring: attachmentQuery,
        response: {
          200: z.string(),
          206: z.string(),
          ...errors('conversation_not_found', 'attachment_not_found', 'range_not_satisfiable'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const conversation = await findConversation(db, caller, params.id)
      const now = timestamp(clock())
      const found = await findAttachment(db, conversation.id, params.attachment_id, caller.right, now)
      await sendFile(request, reply, places, found, query.preview)
    },
  )
}

/** Returns the options of the parser for bodies with one file. @param fileLimit bytes */
export function oneFile(fileLimit: number) {
  const limits = { files: 1, fileSize: fileLimit, fields: 0, headerPairs: 20 }
  return { limits, throwFileSizeLimit: false }
}

/** Returns the file of a body with its bytes as they come. @throws ApiError for a body without one */
export async function fileOf(
  request: FastifyRequest,
  limit: number,
): Promise<{ name: string; bytes: AsyncGenerator<Uint8Array> }> {
  try {
    const parts = request.files()
    const { value: part } = await parts.next()
    if (!part) throw invalidField('file', 'is required')
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* part.file
        // A second file is refused, and not left out without a word.
        if (!part.file.truncated) await parts.next()
      } catch (error) {
        throw refusalOfMultipart(error, 1)
      }
      if (part.file.truncated) throw tooLarge(limit)
    }
    return { name: part.filename ?? '', bytes: bytes() }
  } catch (error) {
    throw refusalOfMultipart(error, 1)
  }
}
