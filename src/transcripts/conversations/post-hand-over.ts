import type { Kysely } from 'kysely'
import type { HandOver } from '../../mailboxes/item-kinds.ts'
import { postHandOverOf, postHandOversOf } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'

/**
 * Hands every open conversation of an agent to people, on platforms that support it, or takes back those that were
 * handed over. A conversation that people took over themselves stays theirs.
 */
export async function postHandOvers(
  db: Kysely<Tables>,
  agentId: number,
  kind: HandOver,
  now: string,
): Promise<void> {
  await postHandOversOf(db, agentId, openConversations(db).where('agent_paused', '=', 0), kind, now)
}

/** Hands one conversation over, or takes it back, if its platform supports that and anything would change. */
export async function postHandOver(
  db: Kysely<Tables>,
  conversationId: string,
  kind: HandOver,
  now: string,
): Promise<void> {
  await postHandOverOf(db, conversationId, openConversations(db), kind, now)
}

function openConversations(db: Kysely<Tables>) {
  return db.selectFrom('conversations').select('id').where('ended_at', 'is', null)
}
