import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/**
 * The id of the user who wrote a prompt, when it is sure who that is: the site's server or a platform said so, or the
 * site has signed it for its widget. Null for somebody who only calls themselves so.
 */
export async function verifiedUserOf(db: Kysely<Tables>, completionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('completions')
    .innerJoin('conversations', 'conversations.id', 'completions.conversation_id')
    .leftJoin('users', (join) =>
      join.onRef('users.agent_id', '=', 'completions.agent_id').onRef('users.id', '=', 'completions.user_id'),
    )
    .select(['completions.user_id', 'conversations.widget_id', 'users.identity'])
    .where('completions.id', '=', completionId)
    .executeTakeFirst()
  if (!row || row.user_id === null || row.identity === 'visitor') return null
  return row.widget_id === null || row.identity === 'verified' ? row.user_id : null
}
