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
 * Runs a transaction in the turn of an agent's redactions: one at a time. Two redactions could wait for each other's
 * rows; and a copy of texts of completions, which is made in such a turn, has the redacted text, or the redaction finds
 * the copy in a text column. Transactions of this process wait without taking a connection, of which there are few. An
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
