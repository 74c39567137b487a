import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** What is known of end users, their list, and the words by which they are found. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const isSqlite = engine.kind === 'sqlite'
  await db.schema.alterTable('users').addColumn('name', 'text').execute()
  await db.schema.alterTable('users').addColumn('attributes', 'text').execute()
  // Ids are found by prefix, in byte order on both engines.
  if (!isSqlite) await sql`alter table users alter column id type text collate "C"`.execute(db)
  await db.schema
    .createIndex('users_listed')
    .on('users')
    .columns(['agent_id', 'first_seen_at', 'id'])
    .execute()
  const text = isSqlite ? sql`text` : sql`text collate "C"`
  const words = db.schema
    .createTable('user_words')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('word', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_words_key', ['agent_id', 'word', 'user_id'])
  await (isSqlite ? words.modifyEnd(sql`without rowid`) : words).execute()
  await db.schema.createIndex('user_words_user').on('user_words').columns(['agent_id', 'user_id']).execute()
}
