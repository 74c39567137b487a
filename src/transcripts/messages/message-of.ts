import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * A part of a query: the message that a row of another table names.
 * @param id the column of the outer query that names it
 */
export function messageOf(db: Pick<Kysely<Tables>, 'selectFrom'>, id: string) {
  return db.selectFrom('messages').where('messages.id', '=', sql.ref<number>(id))
}
