import type { Kysely } from 'kysely'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { writeRedaction } from './redaction-store.ts'

/**
 * Runs a transaction that copies texts of an agent's completions while no redaction of the agent writes: a copy is then
 * either of the redacted text, or found by the redaction. The table of the copies has a text column.
 */
export async function besideRedactions<T>(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock' | 'locksRows'>,
  agentId: number,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return writeRedaction(db, engine, agentId, work)
}
