import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { hidePassages, hideVisible, revealPassages, visiblePassages } from '../hidden-passages.ts'
import { deletePassages, insertPassages, lockTotals, type PassageRecord } from '../passage-store.ts'
import {
  claimDocument,
  type DocumentRecord,
  type DocumentText,
  findDocument,
  putDocument,
  putText,
} from '../store.ts'
import { removeEdition } from './remove-edition.ts'

/**
 * The maximum number of old passages that the publishing transaction deletes. It hides more than that, and they are
 * deleted later.
 */
const REMOVED_AT_ONCE = 50

/** The edit of a stored document, when it is changed and not added. */
export interface Edit {
  /** The hash of the document when it was read. */
  hash: string
  /** The names of the fields that change. */
  fields: string[]
}

/** Runs the transaction that publishes a document, for a caller who stores what belongs to it in the same one. */
export type Publish = <Written extends { documentId: number }>(
  transaction: (db: Kysely<Tables>) => Promise<Written>,
) => Promise<Written>

/** Signals that a document was removed or changed since it was read to be edited. */
export class DocumentMoved extends Error {}

/**
 * Writes a document in short transactions between which others can write. New passages are hidden until the last
 * transaction, which replaces the old passages with all of them. No search finds half a document.
 * @throws DocumentMoved
 */
export async function writeDocument(
  db: Kysely<Tables>,
  document: DocumentRecord,
  text: DocumentText,
  batches: AsyncIterable<PassageRecord[]>,
  nowMs: number,
  by?: TeamBy,
  {
    edit,
    publish = (transaction) => db.transaction().execute(transaction),
  }: { edit?: Edit; publish?: Publish } = {},
): Promise<{ documentId: number; outcome: 'added' | 'replaced' }> {
  const { agent_id: agentId, source } = document
  const at = timestamp(nowMs)
  const edition = randomUUID()
  const past = randomUUID()
  let last: PassageRecord[] = []
  let written = 0
  try {
    for await (const batch of batches) {
      if (last.length > 0) await writeHidden(last)
      last = batch
    }
    const done = await publish(put)
    await removeEdition(db, agentId, past)
    return done
  } catch (error) {
    // Whatever cannot be removed now, for example because the database is away, is swept later.
    await removeEdition(db, agentId, edition).catch(() => {})
    throw error
  }

  async function writeHidden(batch: PassageRecord[]): Promise<void> {
    await db.transaction().execute(async (db) => {
      await lockTotals(db, agentId)
      const documentId = await claimDocument(db, document, at)
      const ids = await insertPassages(db, agentId, documentId, batch, written)
      await hidePassages(db, agentId, ids, edition, at)
    })
    written += batch.length
  }

  async function put(db: Kysely<Tables>) {
    await lockTotals(db, agentId)
    const present = await findDocument(db, agentId, source)
    if (edit && present?.content_hash !== edit.hash) throw new DocumentMoved()
    const documentId = await putDocument(db, document, at)
    const edited_at = edit ? at : null
    await putText(db, { ...text, document_id: documentId, agent_id: agentId, edited_at })
    const old = await visiblePassages(db, agentId, documentId, REMOVED_AT_ONCE + 1)
    if (old.length <= REMOVED_AT_ONCE) await deletePassages(db, agentId, old)
    else await hideVisible(db, agentId, documentId, past, at)
    await nextTurn()
    await insertPassages(db, agentId, documentId, last, written)
    // Otherwise writing took longer than any document should, and the hidden passages were swept as left over.
    if ((await revealPassages(db, edition)) !== written) throw new ApiError('unavailable')
    const outcome = present?.content_hash ? ('replaced' as const) : ('added' as const)
    const target = `document ${documentId}`
    const act = edit
      ? { action: 'knowledge.changed' as const, details: { fields: edit.fields } }
      : { action: `knowledge.${outcome}` as const }
    if (by) await record(db, { ...by, agentId, at, target, ...act })
    return { documentId, outcome }
  }
}
