import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/**
 * The text of each document as it was read, so that it can be shown whole and edited. Documents from before have none:
 * it cannot be rebuilt from their passages.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('knowledge_texts')
    .addColumn('document_id', 'integer', (column) =>
      column.primaryKey().references('knowledge_documents.id').onDelete('cascade'),
    )
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('questions', 'text', (column) => column.notNull())
    .addColumn('edited_at', 'text')
    .execute()
  await db.schema
    .createIndex('knowledge_texts_edited')
    .on('knowledge_texts')
    .columns(['agent_id'])
    .where(sql<boolean>`edited_at is not null`)
    .execute()
}
