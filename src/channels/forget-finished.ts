import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/in-batches.ts'
import { deleteFinishedItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/** Platforms send what was not acknowledged again for up to a week: ids are known for twice as long. */
const KEPT_MS = 14 * DAY_MS

/** Forgets mailbox items that were finished long ago. */
export async function forgetFinished(db: Kysely<Tables>, now: number, signal?: AbortSignal): Promise<void> {
  const before = timestamp(now - KEPT_MS)
  await inBatches((limit) => deleteFinishedItems(db, before, limit), signal)
}
