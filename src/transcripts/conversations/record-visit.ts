import type { Kysely } from 'kysely'
import type { EventWithData } from '../../events/event-data.ts'
import type { EventContext, RaisedEvent } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { insertUser, type KnownUser, setProof } from '../../users/known-users.ts'
import { readUserKey } from '../../users/user-key.ts'
import { insertVisitorOf } from '../../users/visitor-store.ts'
import type { Writer } from '../../users/writer.ts'
import { isKnownOfOld } from './unsourced-rows.ts'

/** The end user, device and session of a prompt. The ids of devices and sessions are the caller's own. */
export interface Visit {
  user: Writer | null
  deviceId: string | null
  sessionId: string | null
}

/** The record of a visit. */
export interface RecordedVisit {
  /** The end user with what is known of them; null: nobody is named. */
  user: KnownUser | null
  /** The events to raise for what the agent has not seen before. */
  events: RaisedEvent[]
}

/** Records the end user, device and session. @param known what is known of the end user; null: nothing yet */
export async function recordVisit(
  db: Kysely<Tables>,
  visit: Visit,
  known: KnownUser | null,
  context: EventContext,
): Promise<RecordedVisit> {
  const { agent_id, occurred_at: first_seen_at } = context
  const { user, deviceId, sessionId } = visit
  const isFirst = async (table: keyof typeof insertVisitorOf, id: string) =>
    (await insertVisitorOf[table](db, { agent_id, id, first_seen_at })).length === 1
  const [recorded, isDeviceNew, isSessionNew] = await Promise.all([
    user === null ? null : recordUser(db, agent_id, user, known, first_seen_at),
    deviceId !== null && isFirst('devices', deviceId),
    sessionId !== null && isFirst('sessions', sessionId),
  ])
  const happenings: EventWithData[] = []
  if (user && recorded?.isNew)
    happenings.push({ key: 'new_user', data: { user_id: readUserKey(user.key).id } })
  if (deviceId !== null && isDeviceNew) happenings.push({ key: 'new_device', data: { device_id: deviceId } })
  if (sessionId !== null && isSessionNew)
    happenings.push({ key: 'new_session', data: { session_id: sessionId } })
  return { user: recorded?.user ?? null, events: happenings.map((one) => ({ ...context, ...one })) }
}

/** Records an end user. Most have written before, and need no row. */
async function recordUser(
  db: Kysely<Tables>,
  agent_id: number,
  { key, proof, name }: Writer,
  known: KnownUser | null,
  first_seen_at: string,
): Promise<{ isNew: boolean; user: KnownUser }> {
  const { source, id: given_id } = readUserKey(key)
  const [row] = known ? [] : await insertUser(db, { agent_id, id: key, given_id, proof, first_seen_at })
  // Only at a helpdesk, which is a channel, can the proof of who somebody is change.
  if (!row && known?.proof !== proof && source.startsWith('channel-'))
    await setProof(db, { agent_id, id: key, proof })
  return {
    user: { id: key, proof, attributes: null, blocked_at: null, ...known, name: known?.name ?? name },
    isNew: row !== undefined && !(await isKnownOfOld(db, agent_id, key)),
  }
}
