import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Selects the ids of the conversations of some completions. @param completions a query for their ids */
export function conversationsOf(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
) {
  return db.selectFrom('completions').select('conversation_id').where('id', 'in', completions)
}

/**
 * Does something in the conversations of some completions, and then in other given ones.
 * @param work gets conversations to use in a query, and returns a number, such as that of the rows it has changed
 * @returns the sum of these numbers
 */
export async function inConversations(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  others: readonly string[],
  work: (conversations: ReturnType<typeof conversationsOf> | readonly string[]) => Promise<number>,
): Promise<number> {
  const ofCompletions = await work(conversationsOf(db, completions))
  return others.length === 0 ? ofCompletions : ofCompletions + (await work(others))
}
