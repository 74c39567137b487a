import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Records of each act and its actor, for a team's owners. Rows are only added, and deleted when they are old. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('team_id', engine.identityType, (column) => column.notNull())
    .addColumn('agent_id', engine.identityType)
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', engine.identityType)
    .addColumn('actor_name', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('details', 'text')
    .addColumn('address', 'text')
    .execute()
  await db.schema.createIndex('audit_team').on('audit').columns(['team_id', 'id']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['team_id', 'action', 'id']).execute()
  await db.schema
    .createIndex('audit_actor')
    .on('audit')
    .columns(['team_id', 'actor_kind', 'actor_id', 'id'])
    .execute()
  await db.schema
    .createIndex('audit_refused')
    .on('audit')
    .columns(['target', 'id'])
    .where(sql<boolean>`action = 'session.refused'`)
    .execute()
  await db.schema.createIndex('audit_at').on('audit').column('at').execute()
}
