import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, type Step, workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Targets of time, the clocks that run towards them, and when the next one of a conversation is due. */
export const steps: readonly Step[] = [
  addColumns('conversations', { due_at: 'text' }),
  addColumns('inbox_rows', { due_at: 'text' }),
  index('inbox_rows_due', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'due_at', 'sequence'])
      .where(sql.ref('due_at'), 'is not', null),
  ),
  createTargets,
  createClocks,
  createRecounts,
]

async function createTargets(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('targets')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('condition', 'text')
    .addColumn('first_response', 'integer')
    .addColumn('next_response', 'integer')
    .addColumn('resolution', 'integer')
    .addColumn('within_hours', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('targets_agent').on('targets').columns(['agent_id', 'id']).execute()
  await engine.retireIds(db, { targets: sql`select max(id) as id from targets` })
}

async function createClocks(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('target_clocks')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('target_id', engine.identityType, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('spent_ms', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('since', 'text')
    .addColumn('ends_at', 'text')
    .addColumn('missed_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('target_clocks_due')
    .on('target_clocks')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('target_clocks_agent').on('target_clocks').columns(['agent_id', 'id']).execute()
  await db.schema
    .createIndex('target_clocks_conversation')
    .on('target_clocks')
    .columns(['conversation_id', 'id'])
    .execute()
  await db.schema
    .createIndex('target_clocks_open')
    .unique()
    .on('target_clocks')
    .columns(['conversation_id', 'kind'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
}

async function createRecounts(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('target_recounts')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('after_id', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('target_recounts_due')
    .on('target_recounts')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('target_recounts_agent')
    .on('target_recounts')
    .column('agent_id')
    .unique()
    .execute()
}
