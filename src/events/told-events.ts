import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Selects, to join to a query, the columns of events that notifications report. */
export function toldEvents(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db
    .selectFrom('events')
    .select([
      'events.id',
      'events.agent_id',
      'events.conversation_id',
      'events.completion_id',
      'events.occurred_at',
    ])
    .select(['events.data', 'events.trace_id', 'events.span_id', 'events.trace_flags', 'events.tracestate'])
    .as('event')
}
