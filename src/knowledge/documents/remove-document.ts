import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { hideVisible } from '../hidden-passages.ts'
import { lockTotals } from '../passage-store.ts'
import { deleteEmptied, unlistDocument } from '../store.ts'
import { removeEdition } from './remove-edition.ts'

/** Removes a document from an agent's knowledge. Once the first transaction commits, it is neither found nor listed. */
export async function removeDocument(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  nowMs: number,
  by?: TeamBy,
): Promise<void> {
  const edition = randomUUID()
  await db.transaction().execute(async (db) => {
    await lockTotals(db, agentId)
    await unlistDocument(db, agentId, documentId, timestamp(nowMs))
    await hideVisible(db, agentId, documentId, edition, timestamp(nowMs))
    const act = { agentId, at: timestamp(nowMs), target: `document ${documentId}` }
    if (by) await record(db, { ...by, ...act, action: 'knowledge.removed' })
  })
  await removeEdition(db, agentId, edition)
  await db.transaction().execute(async (db) => {
    await lockTotals(db, agentId)
    await deleteEmptied(db, agentId, documentId)
  })
}
