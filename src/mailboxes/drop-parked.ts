import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { MailboxItemRow } from './tables.ts'

/** Which parked items are given up: those from before a time, or those of an end user. */
export type ParkedScope =
  /** `conversation`: a subquery, the conversation of `mailboxes.conversation_id` if it is the user's. */
  | { userId: string; conversation: SelectQueryBuilder<Tables, 'conversations', { id: string }> }
  | { before: string }

/**
 * Gives up incoming items that could not be worked, and erases their text, which is stored nowhere else.
 * @param emptied the values that overwrite the columns with text
 */
export async function dropParked(
  db: Kysely<Tables>,
  agentId: number,
  scope: ParkedScope,
  emptied: Partial<MailboxItemRow>,
  now: string,
): Promise<void> {
  await db
    .updateTable('mailbox_items')
    .set({ ...emptied, state: 'failed', error: 'redacted', finished_at: now })
    .where(sql<boolean>`state = 'parked'`)
    .where('payload', 'is not', null)
    .$if('before' in scope, (query) => query.where('created_at', '<', 'before' in scope ? scope.before : ''))
    .where('mailbox_id', 'in', (select) => {
      const ofAgent = select.selectFrom('mailboxes').select('id').where('agent_id', '=', agentId)
      if ('before' in scope) return ofAgent
      const { userId, conversation } = scope
      return ofAgent.where((where) => where.or([where.exists(conversation), where('thread', '=', userId)]))
    })
    .execute()
}
