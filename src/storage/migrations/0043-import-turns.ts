import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Finds when a crawl of a team last began. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createIndex('knowledge_imports_turns')
    .on('knowledge_imports')
    .columns(['team_id', 'started_at'])
    .execute()
}
