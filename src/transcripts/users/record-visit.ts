import type { Kysely } from 'kysely'
import type { RaisedEvent } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { insertVisitorOf } from '../conversations/store.ts'

/** Who prompts, from which device, in which session: the caller's own ids. */
export interface Visit {
  userId: string | null
  deviceId: string | null
  sessionId: string | null
}

/** Records end user, device and session; returns an event to raise for each that the agent sees for the first time. */
export async function recordVisit(
  db: Kysely<Tables>,
  visit: Visit,
  context: Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>,
): Promise<RaisedEvent[]> {
  const visitors = [
    ['users', 'new_user', 'user_id', visit.userId],
    ['devices', 'new_device', 'device_id', visit.deviceId],
    ['sessions', 'new_session', 'session_id', visit.sessionId],
  ] as const
  const events: RaisedEvent[] = []
  for (const [table, key, field, id] of visitors) {
    if (id === null) continue
    const first = await insertVisitorOf[table](db, {
      agent_id: context.agent_id,
      id,
      first_seen_at: context.occurred_at,
    })
    if (first.length > 0) events.push({ ...context, key, data: { [field]: id } })
  }
  return events
}
