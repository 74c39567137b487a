import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * Begins a query with a row for each message of completions, and one for each completion without messages. It has the
 * columns that notifications report.
 */
export function completionsWithMessages(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  const completion = db
    .selectFrom('completions')
    .select(['id', 'number', 'conversation_id', 'channel_id', 'model', 'answered_at', 'automations', 'tags'])
    .select(['usage', 'citations', 'redactions'])
    .as('completion')
  const message = db
    .selectFrom('messages')
    .select(['id', 'completion_id', 'role', 'content', 'round'])
    .as('message')
  return db.selectFrom(completion).leftJoin(message, 'message.completion_id', 'completion.id')
}
