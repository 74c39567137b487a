import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import { includesTransaction, type Transactions } from '../storage/commit-order.ts'
import { deleteSome } from '../storage/delete-some.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'

/**
 * A period of the log of changes. A restored database has the epochs of its copy and begins a new one. A place in the
 * part of the log that was lost is recognized because it belongs to another epoch than the log now has there.
 */
export interface Epoch {
  /** The first transaction of the epoch. */
  readonly transaction: number
  /** A random text. */
  readonly mark: string
}

/** The purpose of the lock under which an epoch begins, as `engine.lock` needs it. */
const EPOCHS = 4
/** The number of epochs that are kept: far more than there are starts while a place is valid. */
const KEPT = 200

/**
 * Begins an epoch when the database is another one, or was restarted, since the last epoch began: at each start on
 * SQLite, and on PostgreSQL whenever its server was started, promoted or restored. Beginning one without need does no
 * harm.
 */
export async function beginEpoch({ db, engine }: Pick<Database, 'db' | 'engine'>): Promise<void> {
  const { history, run } = await engine.incarnation()
  const last = await newestEpoch(db)
  if (last?.history === history && last.run === run) return
  const isOther = last !== undefined && last.history !== history
  // Numbers of transactions mean nothing in another database.
  if (isOther) await forgetLog(db)
  await db.transaction().execute(async (db) => {
    await engine.lock(db, EPOCHS, 0)
    const newest = await newestEpoch(db)
    if (newest?.history === history && newest.run === run) return
    if (isOther) await db.deleteFrom('log_epochs').execute()
    const { id } = await db
      .insertInto('log_epochs')
      .values({
        transaction_id: isOther ? 0 : engine.commitOrder.next('changes'),
        mark: randomBytes(6).toString('hex'),
        history,
        run,
        at: timestamp(Date.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .deleteFrom('log_epochs')
      .where('id', '<=', id - KEPT)
      .execute()
  })
}

function newestEpoch(db: Kysely<Tables>) {
  return db
    .selectFrom('log_epochs')
    .select(['history', 'run'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function forgetLog(db: Kysely<Tables>): Promise<void> {
  await inBatches((limit) =>
    deleteSome(db, 'changes', ['id'], db.selectFrom('changes').select('id').orderBy('id').limit(limit)),
  )
}

/** Returns the mark of the epoch in which some transactions were seen; empty before the first. */
export function markOf(epochs: readonly Epoch[], seen: Transactions): string {
  return epochs.findLast(({ transaction }) => includesTransaction(seen, transaction))?.mark ?? ''
}

/** Parses the epochs as queries return them: `transaction:mark`, separated by commas. */
export function parseEpochs(text: string | null): Epoch[] {
  if (text === null) return []
  return text.split(',').map((epoch) => {
    const [transaction = '', mark = ''] = epoch.split(':')
    return { transaction: Number(transaction), mark }
  })
}
