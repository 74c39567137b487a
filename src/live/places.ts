import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { isInScope } from '../transcripts/conversations/in-scope.ts'
import { readConversations } from '../transcripts/doors/read-changed.ts'
import type { Listener } from './listener.ts'

/** Tells whether a listener may see an event of a conversation; null: the event belongs to no conversation. */
export type Sees = (listener: Listener, conversationId: string | null) => boolean

/** Reads to whom conversations are assigned, if one of the listeners may not see all. @returns the check */
export async function placesFor(
  db: Kysely<Tables>,
  listeners: Iterable<Listener>,
  conversationIds: readonly (string | null)[],
): Promise<Sees> {
  const isRead = [...listeners].some(({ scope }) => scope !== null)
  const ids = isRead ? [...new Set(conversationIds.filter((id) => id !== null))] : []
  const places = await readConversations(db, ids)
  return ({ scope }, conversationId) => {
    if (scope === null || conversationId === null) return true
    const place = places.get(conversationId)
    return place !== undefined && isInScope(place, scope)
  }
}
