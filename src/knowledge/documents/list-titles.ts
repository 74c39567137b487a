import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { listTitles } from '../store.ts'

/** Lists titles of an agent's documents, at most `limit`, to tell what the agent can be asked about. */
export async function listKnowledgeTitles(
  db: Kysely<Tables>,
  agentId: number,
  limit: number,
): Promise<string[]> {
  return listTitles(db, agentId, limit)
}
