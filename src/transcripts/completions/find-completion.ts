import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import { isUuid, rowId } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { findConversation, type Owner } from '../conversations/find-conversation.ts'
import { isInScope } from '../conversations/in-scope.ts'
import { selectById } from '../conversations/store.ts'
import type { CompletionRow } from '../tables.ts'
import { completionOfResponse } from './response-id.ts'
import { selectCompletionById, selectCompletionByNumber } from './store.ts'

/**
 * Finds the agent's completion by UUID, by the id of a response or by number. With the right `chat` it takes no number,
 * which could be guessed.
 * @throws ApiError completion_not_found, also if it is another agent's or outside the caller's scope;
 * conversation_not_found if its conversation has a channel and the caller has only the right `chat`
 */
export async function findCompletion(
  db: Kysely<Tables>,
  owner: Owner,
  given: string,
): Promise<CompletionRow> {
  const { agentId: agent_id, right, scope } = owner
  const id = completionOfResponse(given) ?? given
  const isByNumber = !isUuid(id)
  if (isByNumber && right === 'chat') throw new ApiError('completion_not_found')
  const [row] = isByNumber
    ? await selectCompletionByNumber(db, { agent_id, number: rowId(id) })
    : await selectCompletionById(db, { agent_id, id: id.toLowerCase() })
  if (!row) throw new ApiError('completion_not_found')
  if (right === 'chat') await findConversation(db, owner, row.conversation_id)
  if (scope) {
    const [conversation] = await selectById(db, { agent_id, id: row.conversation_id })
    if (!conversation || !isInScope(conversation, scope)) throw new ApiError('completion_not_found')
  }
  return row
}

/** Finds a completion; null: there is none, or it is hidden from the caller. */
export async function findCompletionOrNull(
  db: Kysely<Tables>,
  owner: Owner,
  given: string,
): Promise<CompletionRow | null> {
  try {
    return await findCompletion(db, owner, given)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
