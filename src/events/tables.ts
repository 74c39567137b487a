import type { Generated, Selectable } from 'kysely'

export interface EventsTable {
  id: Generated<number>
  agent_id: number
  key: string
  occurred_at: string
  conversation_id: string | null
  completion_id: string | null
  /** JSON object: the data that belongs to the event's key (no message text). */
  data: string | null
  /** The W3C trace in which it happened. */
  trace_id: string | null
  span_id: string | null
  /** As in the `traceparent` header. */
  trace_flags: number | null
  tracestate: string | null
}

/** How often something happened to an agent in a day. Spread over several shards, whose sum counts. */
export interface DayCountersTable {
  agent_id: number
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  shard: number
  count: number
}

export type EventRow = Selectable<EventsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    events: EventsTable
    day_counters: DayCountersTable
  }
}
