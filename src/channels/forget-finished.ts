import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import { deleteFinishedItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/** Platforms repeat an event for up to a week until it is acknowledged. Its id is kept for twice as long. */
const KEPT_MS = 14 * DAY_MS
/** The age up to which an event is worked: one day less, so that its id is known for as long as it may come again. */
export const WORKED_FOR_MS = KEPT_MS - DAY_MS

/** Deletes mailbox items that were finished long ago. */
export async function forgetFinished(db: Kysely<Tables>, nowMs: number, signal?: AbortSignal): Promise<void> {
  const before = timestamp(nowMs - KEPT_MS)
  await inBatches((limit) => deleteFinishedItems(db, before, limit), signal)
}
