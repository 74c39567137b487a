import type { Kysely } from 'kysely'
import { installationValue, putInstallationValue } from '../../storage/installation.ts'
import type { Tables } from '../../storage/tables.ts'
import { UNLISTED } from '../store.ts'

/**
 * Lists the addresses of the shipped pages that an agent was given at earlier starts, each with the id of its document,
 * or null when that was removed.
 */
export async function listSeeded(db: Kysely<Tables>, agentId: number): Promise<Map<string, number | null>> {
  const kept = await installationValue(db, seededName(agentId))
  const urls = kept ? (JSON.parse(kept) as string[]) : []
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('knowledge_documents')
    .select(['id', 'url'])
    .where('agent_id', '=', agentId)
    .where('source', 'in', urls)
    // A caller may have named a source like one of the pages.
    .whereRef('url', '=', 'source')
    .where('content_hash', '!=', UNLISTED)
    .execute()
  const ids = new Map(rows.map(({ id, url }) => [url, id]))
  return new Map(urls.map((url) => [url, ids.get(url) ?? null]))
}

/** Lists the ids of an agent's documents that somebody edited. */
export async function listEdited(db: Kysely<Tables>, agentId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('knowledge_texts')
    .select('document_id')
    .where('agent_id', '=', agentId)
    .where('edited_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ document_id }) => document_id))
}

/** Tells whether an agent has documents other than those at the given addresses. */
export async function hasOthers(
  db: Kysely<Tables>,
  agentId: number,
  urls: readonly string[],
): Promise<boolean> {
  const other = await db
    .selectFrom('knowledge_documents')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(({ eb, or }) => or([eb('url', 'is', null), eb('url', 'not in', urls)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function putSeeded(db: Kysely<Tables>, agentId: number, urls: readonly string[]): Promise<void> {
  await putInstallationValue(db, seededName(agentId), JSON.stringify(urls))
}

function seededName(agentId: number): string {
  return `guide_of_agent_${agentId}`
}
