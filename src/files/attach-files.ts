import type { Kysely } from 'kysely'
import { invalidField } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { giveToMessage, selectUnsent } from './store.ts'

/**
 * Returns the uploaded files with these ids, in the same order, for a new message of a conversation.
 * @throws ApiError invalid_request if one is no unsent file of the conversation or for a new one
 */
export async function filesToSend(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id'>,
  ids: readonly string[],
  now: string,
): Promise<Attachment[]> {
  if (ids.length === 0) return []
  const { id: conversation_id, agent_id } = conversation
  const found = await selectUnsent(db, { agent_id, conversation_id }, ids, now)
  const unsent = new Map(found.map((file) => [file.id, file]))
  return ids.map((id) => unsent.get(id) ?? refuse())
}

/**
 * Makes the files those of a message, within the transaction that stores it.
 * @throws ApiError invalid_request if one was sent with another message meanwhile
 */
export async function attachFiles(
  db: Kysely<Tables>,
  files: readonly Attachment[],
  message: { id: number; conversationId: string },
): Promise<void> {
  const ids = files.map(({ id }) => id)
  if (ids.length > 0 && (await giveToMessage(db, ids, message)) !== ids.length) refuse()
}

/** @throws ApiError invalid_request for a file that nobody has uploaded, or that was sent already */
export function refuse(): never {
  throw invalidField(
    'attachments',
    'names a file that was not uploaded to this conversation, or was sent already',
  )
}
