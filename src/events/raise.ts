import type { Kysely } from 'kysely'
import { currentTrace } from '../lib/tracing.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { EventRow, Tables } from '../storage/tables.ts'
import { count } from './count.ts'
import type { EventKey } from './keys.ts'

/** Something that happened to an agent. `data` holds what the key adds, and never message text. */
export interface RaisedEvent {
  key: EventKey
  agent_id: number
  occurred_at: string
  conversation_id?: string
  completion_id?: string
  data?: Record<string, unknown>
}

const insertEvent = prepared((db, param: ParamOf<Omit<EventRow, 'id'>>) =>
  db.insertInto('events').values({
    agent_id: param('agent_id'),
    key: param('key'),
    occurred_at: param('occurred_at'),
    conversation_id: param('conversation_id'),
    completion_id: param('completion_id'),
    data: param('data'),
    trace_id: param('trace_id'),
    span_id: param('span_id'),
  }),
)

/**
 * Writes events and the day's counts in the transaction of their cause: they are there exactly when it is. The database
 * itself adds a delivery for each notification that listens.
 */
export async function raise(db: Kysely<Tables>, ...events: RaisedEvent[]): Promise<void> {
  const trace = currentTrace()
  for (const { key, agent_id, occurred_at, conversation_id, completion_id, data } of events) {
    await insertEvent(db, {
      key,
      agent_id,
      occurred_at,
      conversation_id: conversation_id ?? null,
      completion_id: completion_id ?? null,
      data: data ? JSON.stringify(data) : null,
      trace_id: trace?.traceId ?? null,
      span_id: trace?.spanId ?? null,
    })
  }
  await count(db, events)
}

const selectSubscription = prepared((db, param: ParamOf<{ agent_id: number; key: string }>) =>
  db
    .selectFrom('notification_keys')
    .select('notification_id')
    .where('agent_id', '=', param('agent_id'))
    .where('key', '=', param('key'))
    .limit(1),
)

/** Whether any notification of an agent listens to a key. */
export async function isSubscribed(db: Kysely<Tables>, agentId: number, key: EventKey): Promise<boolean> {
  return (await selectSubscription(db, { agent_id: agentId, key })).length > 0
}
