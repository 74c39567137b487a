import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Files of messages, with their bytes in pieces. */
export const steps: readonly Step[] = [createTables, addColumns('messages', { attachments: 'text' })]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const isSqlite = engine.kind === 'sqlite'
  await db.schema
    .createTable('files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('message_id', engine.identityType)
    .addColumn('attachment', 'text')
    .addColumn('preview_bytes', 'integer')
    .addColumn('remove_at', 'text')
    .execute()
  await db.schema
    .createIndex('files_removed')
    .on('files')
    .columns(['remove_at', 'id'])
    .where(sql.ref('remove_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('files_agent').on('files').columns(['agent_id', 'id']).execute()
  await db.schema
    .createTable('file_pieces')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('position', engine.identityType, (column) => column.notNull())
    .addColumn('bytes', isSqlite ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('file_pieces_key', ['agent_id', 'file_id', 'part', 'position'])
    .execute()
  // Most files are compressed already.
  if (!isSqlite) await sql`alter table file_pieces alter column bytes set storage external`.execute(db)
}
