import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { moveClocks } from './clocks.ts'
import { type MovingValues, type PlainValues, writeConversation } from './store.ts'

/** Writes fields of a locked conversation, announces the change, and moves the clocks that depend on them. */
export async function moveConversation(
  db: Kysely<Tables>,
  id: string,
  values: PlainValues & MovingValues,
  now: string,
): Promise<ConversationRow> {
  const conversation = await writeConversation(db, id, values)
  await moveClocks(db, conversation, now, 'group_id' in values ? 'group' : undefined)
  return conversation
}
