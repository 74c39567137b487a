import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UserRow } from '../tables.ts'
import { readAttributes, wordsOf } from './profile.ts'
import { lockUser, selectUser, writeProfile } from './profile-store.ts'

/** How a widget knows an end user. */
export interface KnownVisitor {
  userId: string
  identity: NonNullable<UserRow['identity']>
  /** As the site names them; null: it does not. */
  name: string | null
}

/**
 * Notes in a profile how a widget knows an end user, within the transaction that stores what they said. A name that is
 * there stays: people may have corrected it.
 */
export async function knowVisitor(
  db: Kysely<Tables>,
  conversation: { agentId: number; conversationId: string },
  { userId, identity, name }: KnownVisitor,
): Promise<void> {
  const { agentId, conversationId } = conversation
  const isKnown = (user: UserRow) => user.identity === identity && (name === null || user.name !== null)
  const present = await selectUser(db, agentId, userId)
  if (!present || isKnown(present)) return
  const user = await lockUser(db, agentId, userId)
  if (!user || isKnown(user)) return
  const known = { name: user.name ?? name, attributes: user.attributes, identity }
  await writeProfile(db, agentId, userId, known, wordsOf(known.name, readAttributes(user.attributes)))
  changed(db, {
    type: 'conversation',
    agent_id: agentId,
    conversation_id: conversationId,
    fields: ['user'],
  })
}
