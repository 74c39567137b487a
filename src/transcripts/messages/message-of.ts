import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * A subquery: the message to which a row of another table refers.
 * @param id the column of the outer query that holds the message's id
 */
export function messageOf(db: Pick<Kysely<Tables>, 'selectFrom'>, id: string) {
  return db.selectFrom('messages').where('messages.id', '=', sql.ref<number>(id))
}
