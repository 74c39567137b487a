import type { Kysely } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UserKey } from '../../users/user-key.ts'

/** Counts the prompts since a time that are an end user's, or in a conversation. */
export function countPrompts(
  db: Kysely<Tables>,
  of: { agentId: number; userKey: UserKey } | { conversationId: string },
  since: string,
): Promise<number> {
  const all = db.selectFrom('completions').where('created_at', '>', since)
  return countRows(
    'userKey' in of
      ? all.where('agent_id', '=', of.agentId).where('user_id', '=', of.userKey)
      : all.where('conversation_id', '=', of.conversationId),
  )
}
