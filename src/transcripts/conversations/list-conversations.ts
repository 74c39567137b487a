import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { conversationJson } from './present.ts'
import { countConversations, selectNumberedPage } from './store.ts'

/** More conversations than any agent has. It fits the integers of both engines. */
const MOST = 2_000_000_000

/**
 * Reads a page of an agent's conversations, newest first by (started_at, id). Conversations are never deleted and are
 * numbered without gaps, so the total is the counter and a page is a range of numbers: every page costs the same.
 * @returns the page as JSON text
 * @param snapshot the `total` of an earlier page: later conversations are left out, so that pages do not shift
 */
export async function listConversations(
  db: Kysely<Tables>,
  agentId: number,
  { page, per_page, snapshot = MOST }: { page: number; per_page: number; snapshot?: number | undefined },
): Promise<string> {
  const rows = await selectNumberedPage(db, {
    agent_id: agentId,
    snapshot: Math.min(snapshot, MOST),
    skip: Math.min((page - 1) * per_page, MOST),
    size: per_page,
  })
  // Each row holds the count. An empty page has none, so the counter is read.
  const present = rows[0]?.present ?? (await countConversations(db, { agent_id: agentId }))[0]?.conversations
  const total = Math.min(snapshot, present ?? 0)
  return `{"data":[${rows.map(conversationJson).join(',')}],"total":${total},"page":${page},"per_page":${per_page}}`
}
