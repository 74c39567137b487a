import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Tools of agents, the calls that models make of them, and the round of each message that belongs to these calls. */
export const steps: readonly Step[] = [createTables, addColumns('messages', { round: 'integer' })]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('tools')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('idempotent', 'integer', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('headers', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('tools_name', ['agent_id', 'name'])
    .execute()
  await db.schema.createIndex('tools_agent').on('tools').columns(['agent_id', 'id']).execute()
  await db.schema
    .createTable('tool_calls')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('completion_id', 'text', (column) => column.notNull())
    .addColumn('message_id', engine.identityType, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('idempotent', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tool_calls_completion').on('tool_calls').column('completion_id').execute()
  await db.schema.createIndex('tool_calls_agent').on('tool_calls').columns(['agent_id', 'id']).execute()
  await engine.retireIds(db, { tools: sql`select max(id) as id from tools` })
}
