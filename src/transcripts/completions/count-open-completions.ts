import type { Kysely } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import type { Tables } from '../../storage/tables.ts'

/** Counts the prompts that are still being answered. */
export function countOpenCompletions(db: Kysely<Tables>): Promise<number> {
  return countRows(db.selectFrom('completions').where('answered_at', 'is', null))
}
