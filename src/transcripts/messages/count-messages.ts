import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

const selectCount = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('messages')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('conversation_id', '=', param('conversation_id')),
)

/** Counts the messages of a conversation. Takes longer the more there are. */
export async function countMessages(db: Kysely<Tables>, conversationId: string): Promise<number> {
  const [row] = await selectCount(db, { conversation_id: conversationId })
  return Number(row?.count ?? 0)
}
