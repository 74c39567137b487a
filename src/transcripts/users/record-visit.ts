import type { Kysely } from 'kysely'
import type { RaisedEvent } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { insertVisitorOf } from '../conversations/store.ts'
import { insertUser, isKnownOfOld, setProof } from './profile-store.ts'
import { readUserKey } from './user-key.ts'
import type { Writer } from './writer.ts'

/** The end user, device and session of a prompt. The ids of devices and sessions are the caller's own. */
export interface Visit {
  user: Writer | null
  deviceId: string | null
  sessionId: string | null
}

/**
 * Records the end user, device and session; returns the events to raise for those that the agent has not seen before.
 */
export async function recordVisit(
  db: Kysely<Tables>,
  visit: Visit,
  context: Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>,
): Promise<RaisedEvent[]> {
  const { agent_id, occurred_at: first_seen_at } = context
  const visitors = [
    ['devices', 'new_device', 'device_id', visit.deviceId],
    ['sessions', 'new_session', 'session_id', visit.sessionId],
  ] as const
  const [isNew, ...seenFirst] = await Promise.all([
    visit.user !== null && recordUser(db, agent_id, visit.user, first_seen_at),
    ...visitors.map(([table, , , id]) =>
      id === null ? [] : insertVisitorOf[table](db, { agent_id, id, first_seen_at }),
    ),
  ])
  const users = [['new_user', 'user_id', visit.user && readUserKey(visit.user.key).id, isNew]] as const
  const others = visitors.map(
    ([, key, field, id], at) => [key, field, id, seenFirst[at]?.length === 1] as const,
  )
  return [...users, ...others].flatMap(([key, field, id, isNew]) =>
    isNew ? [{ ...context, key, data: { [field]: id } }] : [],
  )
}

/** Records an end user; returns whether the agent had not seen them before. */
async function recordUser(
  db: Kysely<Tables>,
  agent_id: number,
  { key, proof }: Writer,
  first_seen_at: string,
): Promise<boolean> {
  const { source, id: given_id } = readUserKey(key)
  const [row] = await insertUser(db, { agent_id, id: key, given_id, proof, first_seen_at })
  // Only at a helpdesk does it change how sure it is who somebody is.
  if (!row && source.startsWith('channel-')) await setProof(db, { agent_id, id: key, proof })
  return row !== undefined && !(await isKnownOfOld(db, agent_id, source, given_id))
}
