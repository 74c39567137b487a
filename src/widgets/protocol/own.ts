import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectCompletionById } from '../../transcripts/completions/store.ts'
import { findById } from '../../transcripts/conversations/find-conversation.ts'
import { newestOfVisitor } from '../../transcripts/conversations/visitor-conversations.ts'
import type { CompletionRow, ConversationRow } from '../../transcripts/tables.ts'
import { userOfConversation } from '../../users/user-key.ts'
import type { Visitor } from './visitor.ts'

/**
 * Finds a visitor's own conversation.
 * @param id undefined for the newest
 * @throws ApiError conversation_not_found, also if it is somebody else's or of another widget
 */
export async function findOwnConversation(
  db: Kysely<Tables>,
  visitor: Visitor,
  id: string | undefined,
): Promise<ConversationRow> {
  const found = id === undefined ? await newestOfVisitor(db, visitor) : await findById(db, visitor, id)
  if (!found || !isOwn(found, visitor)) throw new ApiError('conversation_not_found')
  return found
}

/** Finds a visitor's own completion. @throws ApiError completion_not_found */
export async function findOwnCompletion(
  db: Kysely<Tables>,
  visitor: Visitor,
  id: string,
): Promise<CompletionRow> {
  const [row] = isUuid(id)
    ? await selectCompletionById(db, { agent_id: visitor.agentId, id: id.toLowerCase() })
    : []
  const conversation = row && (await findById(db, visitor, row.conversation_id))
  if (!conversation || !isOwn(conversation, visitor)) throw new ApiError('completion_not_found')
  return row
}

function isOwn(conversation: ConversationRow, { widgetId, userKey }: Visitor): boolean {
  return conversation.widget_id === widgetId && userOfConversation(conversation) === userKey
}
