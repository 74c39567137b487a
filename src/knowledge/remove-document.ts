import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { removeEdition } from './remove-edition.ts'
import { deleteEmptied, hideVisible, holdTotals, unlistDocument } from './store.ts'

/** Takes a document out of what an agent knows: from the first moment none of it is found or listed. */
export async function removeDocument(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  now: number,
  by?: TeamBy,
): Promise<void> {
  const edition = randomUUID()
  await db.transaction().execute(async (db) => {
    await holdTotals(db, agentId)
    await unlistDocument(db, agentId, documentId, timestamp(now))
    await hideVisible(db, agentId, documentId, edition, timestamp(now))
    const act = { agentId, at: timestamp(now), target: `document ${documentId}` }
    if (by) await record(db, { ...by, ...act, action: 'knowledge.removed' })
  })
  await removeEdition(db, agentId, edition)
  await db.transaction().execute(async (db) => {
    await holdTotals(db, agentId)
    await deleteEmptied(db, agentId, documentId)
  })
}
