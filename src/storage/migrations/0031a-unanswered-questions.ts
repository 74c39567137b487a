import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The questions that agents could not answer, one row for all with the same wording. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('unanswered_questions')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('words_hash', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('first_asked_at', 'text', (column) => column.notNull())
    .addColumn('last_asked_at', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('completion_id', 'text', (column) => column.notNull())
    .addUniqueConstraint('unanswered_questions_words', ['agent_id', 'words_hash'])
    .execute()
  await db.schema
    .createIndex('unanswered_questions_latest')
    .on('unanswered_questions')
    .columns(['agent_id', 'last_asked_at', 'id'])
    .execute()
  await engine.retireIds(db, { unanswered_questions: sql`select max(id) as id from unanswered_questions` })
}
