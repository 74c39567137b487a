import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Adds the usage of agents' model calls on each day, and the budgets that were reached. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('model_usage')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('calls', engine.identityType, (column) => column.notNull())
    .addColumn('estimated', engine.identityType, (column) => column.notNull())
    .addColumn('prompt_tokens', engine.identityType, (column) => column.notNull())
    .addColumn('completion_tokens', engine.identityType, (column) => column.notNull())
    .addPrimaryKeyConstraint('model_usage_key', ['agent_id', 'day', 'model', 'kind'])
    .execute()
  await db.schema
    .createTable('budget_alerts')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_alerts_key', ['agent_id', 'period', 'amount'])
    .execute()
}
