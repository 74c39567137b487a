import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Drafts of people, and canned replies. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await createDrafts(db, engine)
  await createReplies(db, engine)
  await engine.retireIds(db, { replies: sql`select max(id) as id from replies` })
}

async function createDrafts(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('drafts')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('drafts_key', ['conversation_id', 'operator_id', 'mode'])
    .execute()
  // Without this index, removing a person would scan all drafts.
  await db.schema.createIndex('drafts_operator').on('drafts').column('operator_id').execute()
}

async function createReplies(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('replies')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('shortcut', 'text', (column) => column.notNull())
    .addColumn('shortcut_key', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('searched', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('replies_shortcut', ['agent_id', 'shortcut_key'])
    .execute()
  await db.schema.createIndex('replies_agent').on('replies').columns(['agent_id', 'id']).execute()
}
