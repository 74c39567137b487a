import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { takeHidden } from '../hidden-passages.ts'
import { deletePassages, lockTotals } from '../passage-store.ts'

const PASSAGES_AT_ONCE = 50

/** Deletes the passages that are hidden for an edition, in short transactions between which others can write. */
export async function removeEdition(db: Kysely<Tables>, agentId: number, edition: string): Promise<void> {
  for (;;) {
    const removed = await db.transaction().execute(async (db) => {
      await lockTotals(db, agentId)
      const ids = await takeHidden(db, edition, PASSAGES_AT_ONCE)
      await deletePassages(db, agentId, ids)
      return ids.length
    })
    if (removed < PASSAGES_AT_ONCE) return
  }
}
