import type { Kysely } from 'kysely'
import type { RaisedEvent } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { insertVisitorOf } from '../conversations/store.ts'

/** The end user, device and session of a prompt. The ids are the caller's own. */
export interface Visit {
  userId: string | null
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
  const visitors = [
    ['users', 'new_user', 'user_id', visit.userId],
    ['devices', 'new_device', 'device_id', visit.deviceId],
    ['sessions', 'new_session', 'session_id', visit.sessionId],
  ] as const
  const seenFirst = await Promise.all(
    visitors.map(([table, , , id]) =>
      id === null
        ? []
        : insertVisitorOf[table](db, { agent_id: context.agent_id, id, first_seen_at: context.occurred_at }),
    ),
  )
  return visitors.flatMap(([, key, field, id], at) =>
    seenFirst[at]?.length ? [{ ...context, key, data: { [field]: id } }] : [],
  )
}
