import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Counts the prompts that are still being answered. */
export async function countOpenCompletions(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('completions')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
