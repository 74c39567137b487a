import { sql } from 'kysely'
import { backfillOf, index, type Step } from '../migration.ts'

/**
 * Redaction now covers more texts, so rows redacted earlier that may hold one of these are queued again. Texts other
 * than messages are found by their completion. Hashes of requests were made without a key, so they are deleted.
 */
export const steps: readonly Step[] = [
  index('conversation_notes_completion', (create) => create.on('conversation_notes').column('completion_id')),
  index('events_completion', (create) =>
    create.on('events').column('completion_id').where(sql.ref('data'), 'is not', null),
  ),
  {
    pieces: backfillOf('0010-completions', ['completions', 'number'], async (db, within) => {
      await sql`update completions set redacted = null where ${within} and redacted is not null`.execute(db)
    }),
  },
  {
    pieces: backfillOf('0010-messages', ['messages', 'id'], async (db, within) => {
      await sql`update messages set redacted = null where ${within} and redacted is not null
        and (tool_calls is not null or tool_call_id is not null or shown_as is not null)`.execute(db)
    }),
  },
  {
    pieces: backfillOf('0010-fingerprints', ['idempotency_keys', 'agent_id', 'key'], async (db, within) => {
      await sql`update idempotency_keys set fingerprint = '' where ${within} and fingerprint <> ''`.execute(
        db,
      )
    }),
  },
]
