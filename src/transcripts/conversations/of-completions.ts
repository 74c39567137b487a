import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Selects the ids of the conversations of some completions. @param completions a query for their ids */
export function conversationsOf(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
) {
  return db.selectFrom('completions').select('conversation_id').where('id', 'in', completions)
}
