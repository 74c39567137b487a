import type { Kysely } from 'kysely'
import { type RaisedEvent, raise } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { insertVisitorOf } from '../conversations/store.ts'

/** Who prompts, from which device, in which session: the caller's own ids. */
export interface Visit {
  userId: string | null
  deviceId: string | null
  sessionId: string | null
}

/** Records end user, device and session, and raises an event for each that the agent sees for the first time; tells whether the user is. */
export async function recordVisit(
  db: Kysely<Tables>,
  visit: Visit,
  context: Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>,
): Promise<{ userIsNew: boolean }> {
  const visitors = [
    ['users', 'new_user', 'user_id', visit.userId],
    ['devices', 'new_device', 'device_id', visit.deviceId],
    ['sessions', 'new_session', 'session_id', visit.sessionId],
  ] as const
  let userIsNew = false
  for (const [table, key, field, id] of visitors) {
    if (id === null) continue
    const first = await insertVisitorOf[table](db, {
      agent_id: context.agent_id,
      id,
      first_seen_at: context.occurred_at,
    })
    if (first.length === 0) continue
    if (table === 'users') userIsNew = true
    await raise(db, { ...context, key, data: { [field]: id } })
  }
  return { userIsNew }
}
