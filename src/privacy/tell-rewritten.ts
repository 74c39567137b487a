import type { Kysely } from 'kysely'
import { conversationsOfNotes } from '../desk/notes/store.ts'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { isRewritten, type WrittenRow } from '../texts/written-row.ts'
import { conversationsOfRatings } from '../transcripts/conversations/rate.ts'

/** The field of a conversation in which people see the texts of a table. Messages announce their own changes. */
const seen = [
  { table: 'conversation_notes', field: 'notes', conversationsOf: conversationsOfNotes },
  { table: 'ratings', field: 'rating', conversationsOf: conversationsOfRatings },
] as const

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
  for (const { table, field, conversationsOf } of seen) {
    const ids = written.filter((row) => row.table === table && isRewritten(row)).map(({ id }) => Number(id))
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await conversationsOf(db, ids.slice(from, from + AT_ONCE)).execute()
      for (const { conversation_id } of rows)
        changed(db, { type: 'conversation', agent_id: agentId, conversation_id, fields: [field] })
    }
  }
}
