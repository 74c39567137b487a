import type { Kysely } from 'kysely'
import { traceFlags } from '../lib/tracing/trace-context.ts'
import { currentTrace } from '../lib/tracing/tracing.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { count } from './count.ts'
import type { EventWithData } from './event-data.ts'
import type { EventRow } from './tables.ts'

/** The topic of the wake-ups for new events. */
export const EVENTS = 'events'

/** The place and time of an event. */
export interface EventContext {
  agent_id: number
  occurred_at: string
  conversation_id?: string
  completion_id?: string
}

/** An event of an agent. */
export type RaisedEvent = EventContext & EventWithData

const columns = [
  'agent_id',
  'key',
  'occurred_at',
  'conversation_id',
  'completion_id',
  'data',
  'trace_id',
  'span_id',
  'trace_flags',
  'tracestate',
] as const

const insertEvents = preparedInsert<Omit<EventRow, 'id'>>('events', columns)

/**
 * Writes events and counts them for their quarter of an hour, in the transaction of their cause, so that they exist
 * exactly when the cause does. A trigger of the database (`src/notifications/triggers.ts`) adds a delivery for each
 * notification that subscribes to the event's key.
 */
export async function raise(db: Kysely<Tables>, ...events: RaisedEvent[]): Promise<void> {
  const trace = currentTrace()
  const rows = events.map(({ key, agent_id, occurred_at, conversation_id, completion_id, data }) => ({
    key,
    agent_id,
    occurred_at,
    conversation_id: conversation_id ?? null,
    completion_id: completion_id ?? null,
    data: data ? JSON.stringify(data) : null,
    trace_id: trace?.traceId ?? null,
    span_id: trace?.spanId ?? null,
    trace_flags: trace && traceFlags(trace),
    tracestate: trace?.tracestate ?? null,
  }))
  await insertEvents(db, rows)
  count(db, events)
  // Other processes look at intervals. Waking them for every prompt would cost more.
  wake(db, EVENTS, 'here')
}
