import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Gives each bearer token a right. Tokens from before could do everything, and still can. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('bearer_tokens')
    .addColumn('right', 'text', (column) => column.notNull().defaultTo(sql.lit('own')))
    .execute()
}
