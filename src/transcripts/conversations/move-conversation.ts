import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { moveClocks } from './clocks.ts'
import type { Assignment } from './in-scope.ts'
import { type MovingValues, type PlainValues, writeConversation } from './store.ts'

/**
 * Writes fields of a locked conversation, announces the change, and moves the clocks that depend on them.
 * @param from the person and the group that had it, when it is given to others
 */
export async function moveConversation(
  db: Kysely<Tables>,
  id: string,
  values: PlainValues & MovingValues,
  now: string,
  from?: Assignment,
): Promise<ConversationRow> {
  const conversation = await writeConversation(db, id, values, from)
  await moveClocks(db, conversation, now, 'group_id' in values ? 'group' : undefined)
  return conversation
}
