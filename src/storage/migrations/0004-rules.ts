import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Rules: evaluators, and what acts by them. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const table = db.schema.createTable.bind(db.schema)

  await table('evaluators')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('agent_id', 'integer', (column) => column.notNull().references('agents.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('threshold', 'double precision', (column) => column.notNull())
    .addColumn('invert', 'integer', (column) => column.notNull())
    .addColumn('on_error', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('evaluators_agent').on('evaluators').columns(['agent_id', 'id']).execute()
}
