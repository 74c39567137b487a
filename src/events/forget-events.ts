import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import type { Tables } from '../storage/tables.ts'

/** A delivery waits for a day at most, and needs its event until then. */
const NEEDED_DAYS = 2

/** The time before which events may no longer be there: what tells of them is not sent again. */
export function eventsKeptSince(now: number, days: number): string {
  return timestamp(now - days * DAY_MS)
}

/** Forgets events that happened more than some days ago, once no delivery can wait for them any more. */
export async function forgetEvents(
  db: Kysely<Tables>,
  now: number,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = eventsKeptSince(now, days + NEEDED_DAYS)
  await inBatches((limit) => deleteOldEvents(db, before, limit), signal)
}

/** Looks at the oldest ids only: they rise with time, so that no index by time is needed. */
async function deleteOldEvents(db: Kysely<Tables>, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('id', 'in', (select) => select.selectFrom('events').select('id').orderBy('id').limit(limit))
    .where('occurred_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
