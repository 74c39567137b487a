import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** The keys from which the numbers of placeholders in conversations are made. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('conversation_keys')
    .addColumn('conversation_id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .execute()
}
