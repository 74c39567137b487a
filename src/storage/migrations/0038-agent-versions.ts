import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The settings of agents as they were after each change. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('agent_versions')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('number', engine.identityType, (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', engine.identityType)
    .addColumn('actor_name', 'text')
    .addColumn('changes', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_versions_key', ['agent_id', 'number'])
    .execute()
}
