import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** A part of a query: completions with each of their messages, or one row without a message. */
export function completionsWithMessages(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('completions').leftJoin('messages', 'messages.completion_id', 'completions.id')
}
