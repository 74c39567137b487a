import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

const WITH_ALL = 'goes only with its agent or person, together with all that names it'
const OF_WORK = 'waits to be worked once, and nothing else names it'
const UNNAMED = 'nothing names it once it is gone'

/** The tables of SQLite whose highest id is given again once its row is deleted, each with the reason. */
const GIVEN_AGAIN: Partial<Record<keyof Tables, string>> = {
  api_keys: WITH_ALL,
  bearer_tokens: 'is never deleted',
  channel_connections: 'has the id of its channel',
  conversation_notes: WITH_ALL,
  conversation_summaries: WITH_ALL,
  evaluations: WITH_ALL,
  handoff_summaries: WITH_ALL,
  happenings: WITH_ALL,
  mailboxes: WITH_ALL,
  messages: WITH_ALL,
  notice_settings: WITH_ALL,
  ratings: WITH_ALL,
  support_retries: OF_WORK,
  target_recounts: WITH_ALL,
  teams: 'is never deleted',
  tool_calls: WITH_ALL,
  away_messages: OF_WORK,
  knowledge_calibrations: OF_WORK,
  knowledge_embeddings: OF_WORK,
  mailbox_items: OF_WORK,
  notice_causes: OF_WORK,
  notice_mails: OF_WORK,
  notice_pushes: OF_WORK,
  operator_mails: OF_WORK,
  silences: OF_WORK,
  snoozes: OF_WORK,
  support_pending: OF_WORK,
  audit: UNNAMED,
  case_texts: UNNAMED,
  knowledge_pages: UNNAMED,
  log_epochs: UNNAMED,
  message_translations: UNNAMED,
  push_browsers: UNNAMED,
  rule_log: UNNAMED,
  search_blocks: 'goes together with its words',
  sign_in_failures: UNNAMED,
  test_results: 'goes together with its texts',
  unanswered_notes: UNNAMED,
  write_probes: UNNAMED,
}

if (engines.includes('sqlite'))
  it('SQLite gives no id again that something may still go by', async () => {
    const { db, close, fresh } = await openFreshDatabase('sqlite')
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and sql like '%"id" integer primary key%'
        and sql not like '%"id" integer primary key autoincrement%' order by name`.execute(db)
    await close()
    await fresh.remove()
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(GIVEN_AGAIN).toSorted(),
      'a table whose rows are deleted while something names them needs `retireIds` in its migration',
    )
  })
