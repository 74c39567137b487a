import { type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** A subquery for a query of completions: the waiting mailbox items that became the prompt of each. */
export function waitingItemsOf(completions: ExpressionBuilder<Tables, 'completions'>) {
  return completions
    .selectFrom('mailbox_items')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
    .select('mailbox_items.id')
    .whereRef('mailboxes.conversation_id', '=', 'completions.conversation_id')
    .whereRef('mailbox_items.completion_id', '=', 'completions.id')
    .where(sql<boolean>`mailbox_items.state in ('waiting', 'sending')`)
}
