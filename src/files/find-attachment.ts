import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { includes, type Right } from '../http/rights.ts'
import { isUuid } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { type Attachment, readAttachment, readAttachments } from '../transcripts/attachments.ts'
import { findMessage } from '../transcripts/messages/find-message.ts'
import { isShownToSites } from '../transcripts/messages/shown-to-sites.ts'
import { selectFile } from './store.ts'
import type { FileRow } from './tables.ts'

/** A file with its attachment as the message has it. */
export interface FoundAttachment {
  file: FileRow
  attachment: Attachment
}

/**
 * Finds a file that the caller may read: a file of a message that they may read. Those who may answer also read files
 * that are not sent yet.
 * @throws ApiError attachment_not_found
 */
export async function findAttachment(
  db: Kysely<Tables>,
  conversationId: string,
  id: string,
  right: Right,
  now: string,
): Promise<FoundAttachment> {
  const file = isUuid(id) ? await selectFile(db, conversationId, id.toLowerCase(), now) : undefined
  const attachment = file && (await attachmentOf(db, file, right))
  if (!attachment) throw new ApiError('attachment_not_found')
  return { file, attachment }
}

async function attachmentOf(
  db: Kysely<Tables>,
  file: FileRow,
  right: Right,
): Promise<Attachment | undefined> {
  if (file.message_id === null) {
    return file.attachment !== null && includes(right, 'respond')
      ? readAttachment(file.attachment)
      : undefined
  }
  const message = await findMessage(db, file.conversation_id, file.message_id)
  if (!message || (right === 'chat' && !isShownToSites(message))) return
  return readAttachments(message.attachments)?.find(({ id, state }) => id === file.id && state === 'stored')
}
