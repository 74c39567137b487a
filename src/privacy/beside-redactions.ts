import type { Kysely } from 'kysely'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { writeRedaction } from './write-redaction.ts'

/**
 * Runs a transaction that copies texts of an agent's completions while no redaction of the agent writes. A copy then
 * has the redacted text, or the redaction finds the copy. The table of the copies must have a text column.
 */
export async function besideRedactions<T>(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock' | 'locksRows'>,
  agentId: number,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return writeRedaction(db, engine, agentId, work)
}
