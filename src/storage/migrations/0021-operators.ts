import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The people of a team, their links to join, their sessions, and refused sign-ins. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('operators')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('team_id', engine.identityType, (column) => column.notNull().references('teams.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('display_name', 'text')
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('right', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('password_hash', 'text')
    .addColumn('totp_secret', 'text')
    .addColumn('totp_pending', 'text')
    .addColumn('totp_step', 'bigint')
    .addColumn('recovery_codes', 'text')
    .addColumn('oidc_issuer', 'text')
    .addColumn('oidc_subject', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('joined_at', 'text')
    .addColumn('last_seen_at', 'text')
    .execute()
  await db.schema.createIndex('operators_team').on('operators').columns(['team_id', 'id']).execute()
  await db.schema
    .createIndex('operators_oidc')
    .unique()
    .on('operators')
    .columns(['oidc_issuer', 'oidc_subject'])
    .where(sql.ref('oidc_subject'), 'is not', null)
    .execute()
  await db.schema
    .createTable('operator_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('operator_links_operator').on('operator_links').column('operator_id').execute()
  await db.schema
    .createTable('operator_sessions')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('operator_id', engine.identityType, (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('address', 'text')
    .addColumn('user_agent', 'text')
    .execute()
  await db.schema
    .createIndex('operator_sessions_operator')
    .on('operator_sessions')
    .column('operator_id')
    .execute()
  await db.schema.createIndex('operator_sessions_used').on('operator_sessions').column('used_at').execute()
  await db.schema
    .createTable('sign_in_failures')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('sign_in_failures_scope')
    .on('sign_in_failures')
    .columns(['scope', 'at'])
    .execute()
  await db.schema.createIndex('sign_in_failures_at').on('sign_in_failures').column('at').execute()
  await engine.retireIds(db, {
    operators: sql`select max(id) as id from operators`,
    operator_sessions: sql`select max(id) as id from operator_sessions`,
  })
}
