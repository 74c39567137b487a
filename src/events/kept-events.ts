import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { forgetById } from './forget-by-id.ts'

/** A delivery waits for at most a day, and needs its event until then. */
const NEEDED_DAYS = 2

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

/** Deletes the events that are older than asked, and that no delivery needs anymore. */
export function forgetEvents(
  db: Kysely<Tables>,
  nowMs: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - (days + NEEDED_DAYS) * DAY_MS)
  return forgetById(db, ['events', 'occurred_at'], { before, nowMs }, signal)
}
