import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { deleteFinishedItems } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/** Platforms send what was not acknowledged again for up to a week: ids are known for twice as long. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000
const AT_ONCE = 1000

/** Forgets mailbox items that were finished long ago, batch by batch. */
export async function forgetFinished(db: Kysely<Tables>, now: number, signal?: AbortSignal): Promise<void> {
  const before = timestamp(now - KEPT_MS)
  while (!signal?.aborted && (await deleteFinishedItems(db, before, AT_ONCE)) === AT_ONCE) {
    // The next batch is a transaction of its own, so that nobody waits long.
  }
}
