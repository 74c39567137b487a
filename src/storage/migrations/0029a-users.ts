import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, index, orderByBytes, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Adds names and attributes of end users, an index for their list, and the words by which they are found. */
export const steps: readonly Step[] = [
  addColumns('users', { name: 'text', attributes: 'text' }),
  // Ids are found by prefix, in byte order on both engines.
  ...orderByBytes('users', 'users_key', ['agent_id', 'id']),
  index('users_listed', (create) => create.on('users').columns(['agent_id', 'first_seen_at', 'id'])),
  createWords,
]

async function createWords(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const isSqlite = engine.kind === 'sqlite'
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
