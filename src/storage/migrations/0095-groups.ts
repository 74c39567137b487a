import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Groups of a team, and the group of a conversation. */
export const steps: readonly Step[] = [
  createTables,
  addColumns('conversations', { group_id: 'id' }),
  async (db, engine) =>
    db.schema
      .alterTable('inbox_rows')
      .addColumn('group_id', engine.identityType, (column) => column.notNull().defaultTo(0))
      .execute(),
  index('inbox_rows_group', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'group_id', 'state', 'last_message_id', 'sequence'])
      .where(sql.ref('group_id'), '>', sql.lit(0)),
  ),
]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('groups')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('team_id', engine.identityType, (column) => column.notNull().references('teams.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('agents', 'text', (column) => column.notNull())
    .addColumn('assignment', 'text', (column) => column.notNull())
    .addColumn('at_once', 'integer')
    .addColumn('last_operator_id', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .execute()
  await db.schema
    .createIndex('groups_name')
    .unique()
    .on('groups')
    .columns(['team_id', 'name'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await engine.retireIds(db, { groups: sql`select max(id) as id from groups` })
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', engine.identityType, (column) =>
      column.notNull().references('groups.id').onDelete('cascade'),
    )
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('group_members_key', ['group_id', 'operator_id'])
    .execute()
  await db.schema.createIndex('group_members_operator').on('group_members').column('operator_id').execute()
}
