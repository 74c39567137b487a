import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Finds messages without a completion by age, and the conversations of an end user that may have no other. A prompt
 * writes into neither index.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  // Leaves out messages without a completion: SQLite would otherwise scan all of them here.
  await db.schema.dropIndex('messages_completion').execute()
  await db.schema
    .createIndex('messages_completion')
    .on('messages')
    .columns(['completion_id', 'id'])
    .where(sql.ref('completion_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('messages_unprompted')
    .on('messages')
    .columns(['agent_id', 'redacted', 'created_at'])
    .where(sql.ref('completion_id'), 'is', null)
    .execute()
  await db.schema
    .createIndex('conversations_channel_user')
    .on('conversations')
    .columns(['agent_id', 'user_id'])
    .where(sql.ref('channel_id'), 'is not', null)
    .execute()
}
