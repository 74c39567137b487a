import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** The beginning of a query: a row for each message of completions, and one for a completion without messages. */
export function completionsWithMessages(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('completions').leftJoin('messages', 'messages.completion_id', 'completions.id')
}
