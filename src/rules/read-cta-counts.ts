import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'

const selectCtaCounts = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('cta_counts')
    .select(['cta_id', 'shown'])
    .where('conversation_id', '=', param('conversation_id')),
)

/** Reads how often each CTA was shown in a conversation, by its id. */
export async function readCtaCounts(
  db: Kysely<Tables>,
  conversation_id: string,
): Promise<Map<number, number>> {
  const rows = await selectCtaCounts(db, { conversation_id })
  return new Map(rows.map(({ cta_id, shown }) => [cta_id, shown]))
}
