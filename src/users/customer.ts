import type { Customer } from '../agents/occasion.ts'
import { type KnownUser, readAttributes } from './known-users.ts'
import { isAnonymous, readUserKey } from './user-key.ts'

/**
 * Returns what an agent may tell of an end user in a conversation; null: nothing. All of the profile is told to
 * somebody whose identity is proven; to a visitor of a widget, whom only the browser identifies, the name. All members
 * of a group chat read every message, so nothing is told there.
 */
export function customerOf(
  user: Omit<KnownUser, 'proof' | 'blocked_at'> | null | undefined,
  { provenId, isGroup }: { provenId: string | null; isGroup: boolean },
): Customer | null {
  if (!user || isGroup) return null
  const { id, name, attributes } = user
  if (provenId !== null) return { name, attributes: textsOf(attributes) }
  return isAnonymous(readUserKey(id)) ? { name, attributes: new Map() } : null
}

function textsOf(attributes: string | null): Map<string, string> {
  return new Map(Object.entries(readAttributes(attributes)).map(([name, value]) => [name, String(value)]))
}
