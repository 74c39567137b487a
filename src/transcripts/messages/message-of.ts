import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * Begins a subquery for the completion and the delivery of the message to which a row of another table refers.
 * @param id the column of the outer query that holds the message's id
 */
export function messageOf(db: Pick<Kysely<Tables>, 'selectFrom'>, id: string) {
  const message = db.selectFrom('messages').select(['id', 'completion_id', 'delivery']).as('message')
  return db.selectFrom(message).where('message.id', '=', sql.ref<number>(id))
}
