import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The people who made macros. Who made one that is shared already was not noted. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema.alterTable('macros').addColumn('maker_id', engine.identityType).execute()
  await sql`update macros set maker_id = operator_id where operator_id is not null`.execute(db)
}
