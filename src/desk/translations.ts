import type { Insertable, Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { inConversations } from '../transcripts/conversations/of-completions.ts'
import type { MessageTranslationsTable, TranslationRow } from './tables.ts'

type Db = Kysely<Tables>

/** Reads what is kept of some messages in a language. */
export async function readTranslations(
  db: Db,
  messageIds: readonly number[],
  language: string,
): Promise<TranslationRow[]> {
  if (messageIds.length === 0) return []
  return db
    .selectFrom('message_translations')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .where('language', '=', language)
    .execute()
}

/** Keeps a message in another language; the first of each language stays. */
export async function keepTranslation(db: Db, row: Insertable<MessageTranslationsTable>): Promise<void> {
  await db
    .insertInto('message_translations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['message_id', 'language']).doNothing())
    .execute()
}

/**
 * Deletes the translations of messages in the conversations of redacted completions, and in other given conversations.
 * Returns their number.
 */
export async function forgetTranslations(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
): Promise<number> {
  const forget = db.deleteFrom('message_translations')
  return inConversations(db, completions, conversationIds, async (conversations) => {
    const { numDeletedRows } = await forget
      .where('conversation_id', 'in', conversations)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}
