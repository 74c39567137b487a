import type { Kysely } from 'kysely'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { readAttributes, selectKnownUser, writeProfile } from '../users/known-users.ts'
import { lockPerson } from '../users/person-store.ts'
import type { UserKey } from '../users/user-key.ts'
import { wordsOf } from './profile.ts'

/**
 * Stores in a widget user's profile the name that the site gives them, within the transaction that stores what they
 * said. A name that is there stays: people may have corrected it.
 */
export async function nameVisitor(
  db: Kysely<Tables>,
  conversation: { agentId: number; conversationId: string },
  { userKey, name }: { userKey: UserKey; name: string | null },
): Promise<void> {
  if (name === null) return
  const { agentId, conversationId } = conversation
  const [present] = await selectKnownUser(db, { agent_id: agentId, id: userKey })
  if (present?.name !== null) return
  const user = await lockPerson(db, agentId, userKey)
  if (user?.name !== null) return
  const { id, attributes, adopted } = user
  await writeProfile(
    db,
    agentId,
    id,
    { name, attributes, adopted },
    wordsOf(name, readAttributes(attributes)),
  )
  changed(db, {
    type: 'conversation',
    agent_id: agentId,
    conversation_id: conversationId,
    fields: ['user'],
  })
}
