import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'

/** A delivery waits for at most a day, and needs its event until then. */
export const NEEDED_DAYS = 2

/** Returns the time before which events may have been deleted, so that their deliveries are not sent again. */
export function eventsKeptSince(nowMs: number, days: number): string {
  return timestamp(nowMs - days * DAY_MS)
}

/** Tells whether an event of an agent from a time or later still exists. */
export async function isEventKept(
  db: Kysely<Tables>,
  { id, agentId, since }: { id: number; agentId: number; since: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .where('occurred_at', '>=', since)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes some events from before a time, only among the oldest ids: these rise with time, so no index is needed. */
export async function deleteOldEvents(db: Kysely<Tables>, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('id', 'in', (select) => select.selectFrom('events').select('id').orderBy('id').limit(limit))
    .where('occurred_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
