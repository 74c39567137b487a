import type { Kysely } from 'kysely'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'

/**
 * Returns the subject of a conversation: the first line of its first message, as far as it was not redacted. Null when
 * it says nothing.
 */
export async function subjectOf(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const first = await db
    .selectFrom('messages')
    .select('content')
    .where('conversation_id', '=', conversationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const [line = ''] = first ? textOfContent(JSON.parse(first.content)).trim().split('\n', 1) : []
  return line.trim() || null
}
