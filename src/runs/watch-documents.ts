import type { Kysely } from 'kysely'
import { countChanges } from '../knowledge/calibration/calibration-store.ts'
import { type Documents, fingerprintDocuments } from '../knowledge/documents/fingerprint-documents.ts'
import type { Tables } from '../storage/tables.ts'

/** Watches the documents of an agent during a run. */
interface WatchedDocuments {
  /** The documents with which the run began. */
  atBeginning: Documents
  /** Tells whether the documents are those with which the run began. */
  areAsThen(): Promise<boolean>
}

/**
 * Begins to watch an agent's documents. They are read again only after they may have changed.
 * @param atBeginning the documents with which the run began; null: it begins now
 */
export async function watchDocuments(
  db: Kysely<Tables>,
  agentId: number,
  atBeginning: Documents | null,
): Promise<WatchedDocuments> {
  let seen = await look()
  const began = atBeginning ?? seen.documents

  /** Counts first: a change that comes in between is then seen at the next look. */
  async function look() {
    const changes = await countChanges(db, agentId)
    return { changes, documents: await fingerprintDocuments(db, agentId) }
  }

  return {
    atBeginning: began,
    async areAsThen() {
      if ((await countChanges(db, agentId)) !== seen.changes) seen = await look()
      return seen.documents.hash === began.hash
    },
  }
}
