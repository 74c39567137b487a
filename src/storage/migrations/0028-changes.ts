import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Changes to the data on people's screens, kept for a day so that live streams can resume. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const transaction = engine.kind === 'postgres' ? sql`(pg_current_xact_id()::text::bigint)` : 0
  await db.schema
    .createTable('changes')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('transaction_id', engine.identityType, (column) => column.notNull().defaultTo(transaction))
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute()
  const { column } = engine.commitOrder
  if (column !== 'id') await db.schema.createIndex('changes_order').on('changes').column(column).execute()
  for (const scope of ['agent_id', 'conversation_id'] as const) {
    await db.schema.createIndex(`changes_${scope}`).on('changes').columns([scope, column]).execute()
  }
  // Ids are never reused: a reader would take a new row with a deleted row's id for one it has already read.
  await engine.retireIds(db, { changes: sql`select max(id) as id from changes` })
}
