import type { Kysely } from 'kysely'
import type { Caller } from '../../http/member.ts'
import type { Tables } from '../../storage/tables.ts'
import { conversationJson } from './present.ts'
import {
  countConversations,
  type ListedConversation,
  selectNumberedPage,
  selectPageOfScope,
} from './store.ts'

/** More conversations than any agent has. It fits the integers of both engines. */
const MOST = 2_000_000_000

/**
 * Reads a page of the conversations that a caller may see, newest first by (started_at, id). Conversations are never deleted and are
 * numbered without gaps, so the total is the counter and a page is a range of numbers: every page costs the same. Those
 * of a scope are counted and skipped instead.
 * @returns the page as JSON text
 * @param snapshot the `total` of an earlier page: later conversations are left out, so that pages do not shift
 */
export async function listConversations(
  db: Kysely<Tables>,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  { page, per_page, snapshot = MOST }: { page: number; per_page: number; snapshot?: number | undefined },
): Promise<string> {
  const place = { skip: Math.min((page - 1) * per_page, MOST), size: per_page }
  if (scope) {
    const { rows, total } = await selectPageOfScope(db, agentId, scope, { ...place, snapshot })
    return pageText(rows, total, page, per_page)
  }
  const rows = await selectNumberedPage(db, {
    agent_id: agentId,
    snapshot: Math.min(snapshot, MOST),
    ...place,
  })
  // Each row holds the count. An empty page has none, so the counter is read.
  const present = rows[0]?.present ?? (await countConversations(db, { agent_id: agentId }))[0]?.conversations
  const total = Math.min(snapshot, present ?? 0)
  return pageText(rows, total, page, per_page)
}

function pageText(rows: readonly ListedConversation[], total: number, page: number, per_page: number) {
  return `{"data":[${rows.map(conversationJson).join(',')}],"total":${total},"page":${page},"per_page":${per_page}}`
}
