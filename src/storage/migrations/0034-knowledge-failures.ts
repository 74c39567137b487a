import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Sources that could not be read, with the reason: they are read again once they have changed. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('knowledge_failures')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('failed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_failures_key', ['agent_id', 'source'])
    .execute()
}
