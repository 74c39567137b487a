import { type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** A part of a query of completions: the items of mailboxes that wait with the prompt of each. */
export function waitingItemsOf(completions: ExpressionBuilder<Tables, 'completions'>) {
  return completions
    .selectFrom('mailbox_items')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
    .select('mailbox_items.id')
    .whereRef('mailboxes.conversation_id', '=', 'completions.conversation_id')
    .whereRef('mailbox_items.completion_id', '=', 'completions.id')
    .where(sql<boolean>`mailbox_items.state in ('waiting', 'sending')`)
}
