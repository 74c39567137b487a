import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Acts on many conversations at once, and the conversations still to be processed. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('bulk_acts')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('filter', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('matched', 'integer', (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('changed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema
    .createIndex('bulk_acts_open')
    .on('bulk_acts')
    .column('id')
    .where(sql.ref('finished_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('bulk_acts_finished')
    .on('bulk_acts')
    .column('finished_at')
    .where(sql.ref('finished_at'), 'is not', null)
    .execute()
  await db.schema
    .createTable('bulk_items')
    .addColumn('bulk_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('bulk_items_key', ['bulk_id', 'conversation_id'])
    .execute()
  await db.schema.createIndex('bulk_items_conversation').on('bulk_items').column('conversation_id').execute()
  // Ids are never reused: asking for an old act must not return a newer one.
  await engine.retireIds(db, { bulk_acts: sql`select max(id) as id from bulk_acts` })
}
