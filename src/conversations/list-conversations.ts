import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { conversationJson } from './present.ts'
import { countConversations, selectSequenceRange } from './store.ts'

/**
 * A page of an agent's conversations, newest first by (started_at, id). Conversations are never deleted and are
 * numbered without gaps, so the total is the counter and a page is a range of numbers: every page costs the same.
 * @returns the page as JSON text
 * @param snapshot the `total` of an earlier page: later conversations are left out, so that pages do not shift
 */
export async function listConversations(
  db: Kysely<Tables>,
  agentId: number,
  { page, per_page, snapshot }: { page: number; per_page: number; snapshot?: number | undefined },
): Promise<string> {
  const [counter] = await countConversations(db, { agent_id: agentId })
  const present = counter?.conversations ?? 0
  const total = Math.min(snapshot ?? present, present)
  const until = total - (page - 1) * per_page
  const rows =
    until > 0
      ? await selectSequenceRange(db, { agent_id: agentId, after: Math.max(0, until - per_page), until })
      : []
  return `{"data":[${rows.map(conversationJson).join(',')}],"total":${total},"page":${page},"per_page":${per_page}}`
}
