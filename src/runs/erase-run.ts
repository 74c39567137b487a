import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { deleteResults, deleteRun, takeRunOver } from './run-store.ts'

const AT_ONCE = 100

/**
 * Deletes a run, with its results in short transactions. A run that is under way ends: its worker can store no more.
 * @param db outside of a transaction, or in one that deletes everything
 */
export async function eraseRun(db: Kysely<Tables>, id: number): Promise<boolean> {
  const inTransaction = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
    db.isTransaction ? work(db) : db.transaction().execute(work)
  await inTransaction((db) => takeRunOver(db, id))
  while ((await inTransaction((db) => deleteResults(db, id, AT_ONCE))) === AT_ONCE);
  return inTransaction((db) => deleteRun(db, id))
}
