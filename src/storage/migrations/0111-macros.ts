import { addColumns, type Step } from '../migration.ts'

/** Macros, which people keep for themselves or for their team, and what came of each time that one was run. */
export const steps: readonly Step[] = [
  async (db, engine) => {
    await db.schema
      .createTable('macros')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('operator_id', engine.identityType, (column) =>
        column.references('operators.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('actions', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('macros_agent').on('macros').columns(['agent_id', 'id']).execute()
    // Without this index, removing a person would scan all macros.
    await db.schema.createIndex('macros_operator').on('macros').column('operator_id').execute()
    await db.schema
      .createTable('macro_runs')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('macro_id', engine.identityType, (column) => column.notNull())
      .addColumn('macro_name', 'text', (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('bulk_id', engine.identityType)
      .addColumn('actions', 'text', (column) => column.notNull())
      .addColumn('failed', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('finished_at', 'text')
      .addColumn('undone_at', 'text')
      .execute()
    await db.schema
      .createIndex('macro_runs_bulk')
      .on('macro_runs')
      .columns(['bulk_id', 'conversation_id'])
      .unique()
      .where('bulk_id', 'is not', null)
      .execute()
    await db.schema
      .createIndex('macro_runs_listed')
      .on('macro_runs')
      .columns(['bulk_id', 'id'])
      .where('bulk_id', 'is not', null)
      .execute()
    await db.schema.createIndex('macro_runs_agent').on('macro_runs').columns(['agent_id', 'id']).execute()
    await db.schema.createIndex('macro_runs_created').on('macro_runs').column('created_at').execute()
  },
  addColumns('happenings', { part_of: 'integer' }),
]
