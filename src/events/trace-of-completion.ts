import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { firstSince } from '../storage/first-since.ts'
import type { Tables } from '../storage/tables.ts'

/** Events are stored in the order of their times, except within this span. */
const UNORDERED_MS = 5000
/** The number of events after this time that are examined. */
const EXAMINED = 20_000

/** A W3C trace. */
interface Trace {
  trace_id: string
  span_id: string | null
}

/**
 * Finds the trace in which a completion was made. Its events are found by their time, since ids rise with it: an index
 * for this would cost every prompt.
 * @returns null when its events are no longer kept, or had no trace
 */
export async function traceOfCompletion(
  db: Kysely<Tables>,
  { id, created_at }: { id: string; created_at: string },
): Promise<Trace | null> {
  const first = await firstEventSince(db, timestamp(Date.parse(created_at) - UNORDERED_MS))
  const event = await db
    .selectFrom('events')
    .select(['trace_id', 'span_id'])
    .where('id', '>=', first)
    .where('id', '<', first + EXAMINED)
    .where('completion_id', '=', id)
    .where('trace_id', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return event && event.trace_id !== null ? { trace_id: event.trace_id, span_id: event.span_id } : null
}

/** Finds the id from which on events happened at a time or later. */
async function firstEventSince(db: Kysely<Tables>, at: string): Promise<number> {
  const { least, most } = await db
    .selectFrom('events')
    .select((select) => [select.fn.min('id').as('least'), select.fn.max('id').as('most')])
    .executeTakeFirstOrThrow()
  return firstSince(at, { least: Number(least ?? 0), most: Number(most ?? 0) }, (id) =>
    db
      .selectFrom('events')
      .select(['id', 'occurred_at as at'])
      .where('id', '>=', id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
}
