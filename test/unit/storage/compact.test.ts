import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { openFreshDatabase } from '../../support/databases.ts'

it('compact leaves no old version of a row on PostgreSQL in any table that redaction writes', async () => {
  const { db, engine, close, fresh } = await openFreshDatabase('postgres')
  await engine.compact()
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_user_tables where vacuum_count > 0 order by relname`.execute(db)
  assert.deepEqual(
    rows.map(({ relname }) => relname),
    [
      'case_texts',
      'completions',
      'continuations',
      'conversation_keys',
      'conversation_notes',
      'conversation_summaries',
      'deliveries',
      'drafts',
      'evaluations',
      'handoff_summaries',
      'mailbox_items',
      'message_translations',
      'messages',
      'ratings',
      'search_words',
      'test_results',
      'user_words',
      'users',
    ],
  )
  await close()
  await fresh.remove()
})
