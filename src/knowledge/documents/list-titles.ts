import type { Kysely } from 'kysely'
import { tellApart } from '../../model/tell-apart.ts'
import type { Tables } from '../../storage/tables.ts'
import { listTitles } from '../store.ts'

/** Names an agent's documents, at most `limit`, to tell what the agent can be asked about. */
export async function listKnowledgeTitles(
  db: Kysely<Tables>,
  agentId: number,
  limit: number,
): Promise<string[]> {
  return tellApart(await listTitles(db, agentId, limit))
}
