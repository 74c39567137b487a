import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Gives each bearer token a right. Existing tokens keep the right to do everything. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('bearer_tokens')
    .addColumn('right', 'text', (column) => column.notNull().defaultTo(sql.lit('own')))
    .execute()
}
