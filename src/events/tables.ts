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
  /** The flags as in the `traceparent` header. */
  trace_flags: number | null
  tracestate: string | null
}

/** The active notifications that receive an event of an agent. */
export interface NotificationKeysTable {
  agent_id: number
  key: string
  notification_id: number
}

/** The count of a name for an agent in a quarter of an hour: the sum of several shards. */
export interface QuarterCountersTable {
  agent_id: number
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  /** The quarter of an hour, from 0 at midnight to 95. */
  quarter: number
  shard: number
  count: number
}

/** The count of a name for an agent on a past day. */
export interface DayCountersTable {
  agent_id: number
  day: string
  name: string
  shard: number
  count: number
  /** JSON: the counts of its 96 quarters; null when the day was counted as a whole. */
  quarters: string | null
}

/** The sums of events that a recount has read so far, before it corrects the counts by them. */
export interface RecountedCountsTable {
  agent_id: number
  day: string
  name: string
  quarter: number
  count: number
}

/** The moments at which the log of changes began anew. */
export interface LogEpochsTable {
  id: Generated<number>
  /** The first transaction of the epoch; on SQLite the id of the row. */
  transaction_id: number
  mark: string
  /** The database and its run, as `engine.incarnation` tells them. */
  history: string
  run: string
  at: string
}

/** The changes of a transaction to a conversation, or to the agent itself. Kept for a day. */
export interface ChangesTable {
  id: Generated<number>
  /** The number of the transaction on PostgreSQL, filled in by default. */
  transaction_id: Generated<number>
  agent_id: number
  conversation_id: string | null
  at: string
  /** JSON: a list of changes without the ids of agent and conversation. No message text. */
  changes: string
}

export type EventRow = Selectable<EventsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    events: EventsTable
    notification_keys: NotificationKeysTable
    quarter_counters: QuarterCountersTable
    day_counters: DayCountersTable
    recounted_counts: RecountedCountsTable
    changes: ChangesTable
    log_epochs: LogEpochsTable
  }
}
