import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/storage/tables.ts'
import { becomes } from './becomes.ts'

/** Waits until the service has counted all changes in the figures of support: queued ones, then those under way. */
export async function figuresCounted(db: Kysely<Tables>): Promise<void> {
  for (const table of ['support_pending', 'support_retries'] as const)
    await becomes(async () => {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db)
      return rows.length
    }, 0)
}
