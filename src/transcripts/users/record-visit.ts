import type { Kysely } from 'kysely'
import type { Happening } from '../../events/event-data.ts'
import type { EventContext, RaisedEvent } from '../../events/raise.ts'
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
  context: EventContext,
): Promise<RaisedEvent[]> {
  const { agent_id, occurred_at: first_seen_at } = context
  const { user, deviceId, sessionId } = visit
  const isFirst = async (table: keyof typeof insertVisitorOf, id: string) =>
    (await insertVisitorOf[table](db, { agent_id, id, first_seen_at })).length === 1
  const [isUserNew, isDeviceNew, isSessionNew] = await Promise.all([
    user !== null && recordUser(db, agent_id, user, first_seen_at),
    deviceId !== null && isFirst('devices', deviceId),
    sessionId !== null && isFirst('sessions', sessionId),
  ])
  const happenings: Happening[] = []
  if (user && isUserNew) happenings.push({ key: 'new_user', data: { user_id: readUserKey(user.key).id } })
  if (deviceId !== null && isDeviceNew) happenings.push({ key: 'new_device', data: { device_id: deviceId } })
  if (sessionId !== null && isSessionNew)
    happenings.push({ key: 'new_session', data: { session_id: sessionId } })
  return happenings.map((one) => ({ ...context, ...one }))
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
  // Only at a helpdesk, which is a channel, can the proof of who somebody is change.
  if (!row && source.startsWith('channel-')) await setProof(db, { agent_id, id: key, proof })
  return row !== undefined && !(await isKnownOfOld(db, agent_id, source, given_id))
}
