import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Redaction now covers more texts, so rows redacted earlier are queued again where they may hold one of these. Texts
 * other than messages are found by their completion. Hashes of requests were made without a key, so they are deleted.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .createIndex('conversation_notes_completion')
    .on('conversation_notes')
    .columns(['completion_id'])
    .execute()
  await db.schema
    .createIndex('events_completion')
    .on('events')
    .columns(['completion_id'])
    .where(sql.ref('data'), 'is not', null)
    .execute()
  await sql`update completions set redacted = null where redacted is not null`.execute(db)
  await sql`update messages set redacted = null where redacted is not null
    and (tool_calls is not null or tool_call_id is not null or shown_as is not null)`.execute(db)
  await sql`update idempotency_keys set fingerprint = ''`.execute(db)
}
