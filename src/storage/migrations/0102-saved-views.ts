import type { Step } from '../migration.ts'

/** Queries of the inbox that people keep, for themselves or for their team. */
export const steps: readonly Step[] = [
  async (db, engine) => {
    await db.schema
      .createTable('saved_views')
      .addColumn('id', engine.identityType, engine.identity)
      .addColumn('agent_id', engine.identityType, (column) => column.notNull())
      .addColumn('operator_id', engine.identityType, (column) =>
        column.references('operators.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('saved_views_agent').on('saved_views').columns(['agent_id', 'id']).execute()
    // Without this index, removing a person would scan all views.
    await db.schema.createIndex('saved_views_operator').on('saved_views').column('operator_id').execute()
  },
]
