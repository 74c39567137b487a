import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

const COUNTERS = ['others', 'no_passage', 'uncited', 'disliked', 'handed_off'] as const

/**
 * Notes the reasons for which a question counts as unanswered, and each prompt in which it was asked. Questions from
 * before had no answer of the built-in answerer: they count no `others`.
 */
export const steps: readonly Step[] = [
  async (db) => {
    await db.schema.alterTable('unanswered_questions').addColumn('words', 'text').execute()
    for (const name of COUNTERS)
      await db.schema
        .alterTable('unanswered_questions')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
  },
  notes,
  // With a condition that always holds: queries for one reason do not take it for their own.
  index('unanswered_questions_latest', (create) =>
    create
      .on('unanswered_questions')
      .columns(['agent_id', 'last_asked_at', 'id'])
      .where(sql<boolean>`count > 0`),
  ),
  index('unanswered_questions_unknown', (create) =>
    create
      .on('unanswered_questions')
      .columns(['agent_id', 'last_asked_at', 'id'])
      .where(sql<boolean>`count > others`),
  ),
  ...COUNTERS.filter((name) => name !== 'others').map((name) =>
    index(`unanswered_questions_${name}`, (create) =>
      create
        .on('unanswered_questions')
        .columns(['agent_id', 'last_asked_at', 'id'])
        .where(sql<boolean>`${sql.ref(name)} > 0`),
    ),
  ),
]

async function notes(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('unanswered_notes')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('question_id', engine.identityType)
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('completion_id', 'text', (column) => column.notNull().unique())
    .addColumn('reasons', 'integer', (column) => column.notNull())
    .addColumn('asked_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('unanswered_notes_question')
    .on('unanswered_notes')
    .columns(['question_id', 'id'])
    .execute()
  await db.schema
    .createIndex('unanswered_notes_agent')
    .on('unanswered_notes')
    .columns(['agent_id', 'id'])
    .execute()
}
