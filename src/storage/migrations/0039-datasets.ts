import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Test cases of agents in datasets, and runs of the datasets. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('datasets')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('datasets_agent').on('datasets').columns(['agent_id', 'id']).execute()
  await db.schema
    .createTable('dataset_cases')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('dataset_id', engine.identityType, (column) => column.notNull())
    .addColumn('completion_id', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('dataset_cases_dataset')
    .on('dataset_cases')
    .columns(['dataset_id', 'id'])
    .execute()
  await db.schema
    .createTable('case_texts')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('case_id', engine.identityType)
    .addColumn('result_id', engine.identityType)
    .addColumn('completion_id', 'text')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute()
  for (const column of ['case_id', 'result_id', 'completion_id'])
    await db.schema
      .createIndex(`case_texts_${column.replace('_id', '')}`)
      .on('case_texts')
      .columns([column, 'position'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  await db.schema
    .createTable('test_runs')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('dataset_id', engine.identityType, (column) => column.notNull())
    .addColumn('version', engine.identityType)
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('evaluators', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('passed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema.createIndex('test_runs_agent').on('test_runs').columns(['agent_id', 'id']).execute()
  await db.schema.createIndex('test_runs_dataset').on('test_runs').columns(['dataset_id', 'id']).execute()
  await db.schema
    .createIndex('test_runs_open')
    .on('test_runs')
    .column('id')
    .where(sql<boolean>`state in ('queued', 'running')`)
    .execute()
  await db.schema
    .createTable('test_results')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('run_id', engine.identityType, (column) => column.notNull())
    .addColumn('case_id', engine.identityType, (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('model', 'text')
    .addColumn('said', 'text')
    .addColumn('ms', engine.identityType)
    .execute()
  await db.schema.createIndex('test_results_run').on('test_results').columns(['run_id', 'id']).execute()
  await engine.retireIds(db, {
    datasets: sql`select max(id) as id from datasets`,
    dataset_cases: sql`select max(id) as id from dataset_cases`,
    test_runs: sql`select max(id) as id from test_runs`,
  })
}
