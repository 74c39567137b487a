import type { Kysely } from 'kysely'
import { atMostEach } from '../lib/pacing/at-most.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** The purpose of the lock of a redaction, as `engine.lock` needs it. */
const REDACTIONS = 1

/** Queues the redactions of each agent in this process. */
const inTurn = atMostEach<number>(1)

/**
 * Runs a transaction that redacts or copies texts of an agent, one at a time. Two redactions could wait for each other's
 * rows. A copy that is made before a redaction is found by it, if it stands in a text column; one that is made after it
 * has the redacted text. Transactions of this process wait without taking a connection, of which there are few. An
 * engine without row locks has one writer at a time anyway; to wait longer would only let others change more rows.
 */
export async function inTurnOfRedactions<T>(
  db: Db,
  engine: Pick<Engine, 'lock' | 'locksRows'>,
  agentId: number,
  write: (db: Db) => Promise<T>,
): Promise<T> {
  if (!engine.locksRows) return db.transaction().execute(write)
  return inTurn(agentId, () =>
    db.transaction().execute(async (db) => {
      await engine.lock(db, REDACTIONS, agentId)
      return write(db)
    }),
  )
}
