import { sql } from 'kysely'
import { addColumns, index, type Step, workColumns } from '../migration.ts'

/** Automations that run on what happens at the desk, and the work of each time that it does. */
export const steps: readonly Step[] = [
  async (db, engine) => {
    await db.schema
      .createTable('desk_jobs')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('on_event', 'text', (column) => column.notNull())
      .addColumn('happening_id', engine.identityType)
      .addColumn('rule_id', engine.identityType)
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('runs', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('due_at', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .$call(workColumns)
      .execute()
    await db.schema
      .createIndex('desk_jobs_due')
      .on('desk_jobs')
      .columns(['due_at', 'id'])
      .where(sql<boolean>`state = 'waiting'`)
      .execute()
    await db.schema.createIndex('desk_jobs_agent').on('desk_jobs').columns(['agent_id', 'id']).execute()
    await db.schema.createIndex('desk_jobs_cause').on('desk_jobs').column('cause').execute()
    await db.schema
      .createIndex('desk_jobs_ended')
      .on('desk_jobs')
      .column('created_at')
      .where(sql<boolean>`state <> 'waiting'`)
      .execute()
  },
  addColumns('happenings', { cause: 'text' }),
  addColumns('rules', { on_event: 'text' }),
  index('rules_on_event', (create) =>
    create.on('rules').columns(['agent_id', 'on_event']).where('on_event', 'is not', null),
  ),
  async (db) => {
    await db.schema
      .alterTable('rule_log')
      .alterColumn('completion_id', (alter) => alter.dropNotNull())
      .execute()
  },
]
