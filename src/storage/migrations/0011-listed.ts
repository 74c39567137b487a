import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Columns that the list of completions is filtered by; null where they do not apply. */
const OPTIONAL = {
  completions_user: 'user_id',
  completions_device: 'device_id',
  completions_session: 'session_id',
  completions_channel: 'channel_id',
  completions_language: 'language',
  completions_liked: 'liked',
} as const

/**
 * An index for each filter of each list. All of completions end with (created_at, number), the order of their list, so
 * that a range of time is a range in each of them. A completion has entries only for the filters that apply to it.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  for (const name of ['completions_agent', 'completions_conversation', 'completions_user'])
    await db.schema.dropIndex(name).execute()
  await db.schema
    .createIndex('completions_agent')
    .on('completions')
    .columns(['agent_id', 'created_at', 'number'])
    // Always true, so that only queries that state it use this index: to others it would look as good as a filter's.
    .where(sql<boolean>`number > 0`)
    .execute()
  await db.schema
    .createIndex('completions_conversation')
    .on('completions')
    .columns(['conversation_id', 'created_at', 'number'])
    .execute()
  for (const [name, column] of Object.entries(OPTIONAL))
    await db.schema
      .createIndex(name)
      .on('completions')
      .columns(['agent_id', column, 'created_at', 'number'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  await db.schema
    .createIndex('completions_flagged')
    .on('completions')
    .columns(['agent_id', 'flagged', 'created_at', 'number'])
    .where(sql<boolean>`flagged > 0`)
    .execute()
  await db.schema
    .createIndex('knowledge_documents_agent')
    .on('knowledge_documents')
    .columns(['agent_id', 'id'])
    .execute()
}
