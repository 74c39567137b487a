import { addColumns, type Step } from '../migration.ts'

/**
 * Summaries of conversations that were handed over and translations of messages, and marks of drafts that a model
 * suggested or translated.
 */
export const steps: readonly Step[] = [
  async (db, engine) => {
    await db.schema
      .createTable('handoff_summaries')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
      .addColumn('content', 'text')
      .addColumn('covered_id', engine.identityType, (column) => column.notNull().defaultTo(0))
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('written_at', 'text')
      .execute()
    await db.schema
      .createTable('message_translations')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('message_id', engine.identityType, (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('is_original', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('message_translations_language', ['message_id', 'language'])
      .execute()
    await db.schema
      .createIndex('message_translations_conversation')
      .on('message_translations')
      .columns(['conversation_id', 'id'])
      .execute()
  },
  addColumns('drafts', { suggested: 'integer', original: 'text' }),
]
