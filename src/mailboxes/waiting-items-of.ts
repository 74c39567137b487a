import { type Expression, expressionBuilder, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/**
 * Selects, to use in a query, the waiting mailbox items that became the prompt of a completion.
 * @param completion columns of the outer query that hold its ids
 */
export function waitingItemsOf(completion: { id: Expression<string>; conversationId: Expression<string> }) {
  return expressionBuilder<Tables>()
    .selectFrom('mailbox_items')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
    .select('mailbox_items.id')
    .where('mailboxes.conversation_id', '=', completion.conversationId)
    .where('mailbox_items.completion_id', '=', completion.id)
    .where(sql<boolean>`mailbox_items.state in ('waiting', 'sending')`)
}
