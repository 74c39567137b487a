import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The people who made saved views. Who made one that is shared already was not noted. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema.alterTable('saved_views').addColumn('maker_id', engine.identityType).execute()
  await sql`update saved_views set maker_id = operator_id where operator_id is not null`.execute(db)
}
