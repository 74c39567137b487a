import type { Kysely } from 'kysely'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { isRewritten, type WrittenRow } from '../texts/written-row.ts'

/** The field of a conversation in which people see the texts of a table. Messages announce their own changes. */
const fieldOf = { conversation_notes: 'notes', ratings: 'rating' } as const

/** The number of ids in one query. Both engines limit the number of parameters. */
const AT_ONCE = 500

/**
 * Tells listeners of the notes and comments of ratings that were overwritten, in the transaction that overwrote them.
 */
export async function tellRewritten(
  db: Kysely<Tables>,
  agentId: number,
  written: readonly WrittenRow[],
): Promise<void> {
  for (const table of ['conversation_notes', 'ratings'] as const) {
    const ids = written.filter((row) => row.table === table && isRewritten(row)).map(({ id }) => Number(id))
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await db
        .selectFrom(table)
        .select('conversation_id')
        .distinct()
        .where('id', 'in', ids.slice(from, from + AT_ONCE))
        .execute()
      for (const { conversation_id } of rows)
        changed(db, { type: 'conversation', agent_id: agentId, conversation_id, fields: [fieldOf[table]] })
    }
  }
}
