import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import { fetchOnceMore } from '../../files/fetches/store.ts'
import { selectFile } from '../../files/store.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { errors, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Attachment, attachmentSchema } from '../../transcripts/attachments.ts'
import { findConversation } from '../../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../../transcripts/conversations/schemas.ts'
import { changeAttachment } from '../../transcripts/messages/change-attachments.ts'
import type { ConversationRow } from '../../transcripts/tables.ts'

/** Adds the route by which people have a file fetched again. */
export function mediaRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/conversations/:id/attachments/:attachment_id/fetch',
      {
        config: { right: 'respond' },
        schema: {
          operationId: 'fetchAttachment',
          summary: 'Fetch a file again that could not be fetched from the platform of its channel',
          params: conversationId.extend({ attachment_id: z.string().describe('UUID of the attachment.') }),
          response: {
            200: single(attachmentSchema),
            ...errors('conversation_not_found', 'attachment_not_found', 'attachment_not_failed'),
          },
        },
      },
      async (request) => {
        const { caller, params } = request
        const conversation = await findConversation(db, caller, params.id)
        const now = timestamp(clock())
        const fileId = params.attachment_id.toLowerCase()
        return { data: await fetchAgain(db, conversation, fileId, now, byCaller(request)) }
      },
    )
  })
}

/** @throws ApiError attachment_not_found, attachment_not_failed */
async function fetchAgain(
  db: Kysely<Tables>,
  { id: conversationId, agent_id: agentId }: Pick<ConversationRow, 'id' | 'agent_id'>,
  fileId: string,
  now: string,
  by: TeamBy,
): Promise<Attachment> {
  if (!isUuid(fileId)) throw new ApiError('attachment_not_found')
  return db.transaction().execute(async (db) => {
    const messageId = await fetchOnceMore(db, conversationId, fileId, now)
    if (messageId === undefined) {
      const isThere = await selectFile(db, conversationId, fileId, now)
      throw new ApiError(isThere ? 'attachment_not_failed' : 'attachment_not_found')
    }
    const fetching = { state: 'fetching' } as const
    const attachment = await changeAttachment(db, messageId, fileId, fetching)
    if (!attachment) throw new ApiError('attachment_not_found')
    await record(db, {
      ...by,
      agentId,
      at: now,
      target: `attachment ${fileId}`,
      action: 'attachment.fetched',
    })
    return attachment
  })
}
