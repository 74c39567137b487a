import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../tables.ts'

/** Locks a completion until the transaction ends, and returns its row. */
export async function lockCompletion(db: Kysely<Tables>, id: string): Promise<CompletionRow> {
  return db
    .selectFrom('completions')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
