import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** The search index of messages and notes. Existing texts are indexed in the background. */
export const steps: readonly Step[] = [
  createTables,
  (db, engine) => queueTexts(db, engine, 'messages', 1, "new.role in ('user', 'assistant', 'operator')"),
  (db, engine) => queueTexts(db, engine, 'conversation_notes', 2, '1 = 1'),
]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const isSqlite = engine.kind === 'sqlite'
  const bytes = isSqlite ? sql`blob` : sql`bytea`
  // Words are found by prefix, in byte order on both engines.
  const word = isSqlite ? sql`text` : sql`text collate "C"`

  const pending = db.schema
    .createTable('search_pending')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('id', engine.identityType, (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('search_pending_key', ['agent_id', 'id', 'kind'])
  await (isSqlite ? pending.modifyEnd(sql`without rowid`) : pending).execute()

  await db.schema
    .createTable('search_blocks')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addUniqueConstraint('search_blocks_number', ['agent_id', 'kind', 'number'])
    .execute()

  await db.schema
    .createTable('search_parts')
    .addColumn('block_id', engine.identityType, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('texts', 'integer', (column) => column.notNull())
    .addColumn('least_id', engine.identityType, (column) => column.notNull())
    .addColumn('most_id', engine.identityType, (column) => column.notNull())
    .addColumn('from_at', 'text', (column) => column.notNull())
    .addColumn('to_at', 'text', (column) => column.notNull())
    .addColumn('ids', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_parts_key', ['block_id', 'part'])
    .execute()
  await db.schema
    .createIndex('search_parts_ids')
    .on('search_parts')
    .columns(['agent_id', 'kind', 'most_id', 'least_id'])
    .execute()

  const words = db.schema
    .createTable('search_words')
    .addColumn('block_id', engine.identityType, (column) => column.notNull())
    .addColumn('word', word, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('postings', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_words_key', ['block_id', 'word', 'part'])
  await (isSqlite ? words.modifyEnd(sql`without rowid`) : words).execute()

  await db.schema
    .createTable('search_backfill')
    .addColumn('kind', 'integer', (column) => column.primaryKey())
    .addColumn('until_id', engine.identityType, (column) => column.notNull())
    .addColumn('next_id', engine.identityType, (column) => column.notNull())
    .execute()
}

/** Creates a trigger that queues each new row in its transaction: no extra statement, and no row is forgotten. */
async function queueTexts(
  db: Kysely<Tables>,
  engine: Engine,
  table: string,
  kind: number,
  when: string,
): Promise<void> {
  const name = sql.raw(`${table}_searched`)
  const on = sql.raw(table)
  const condition = sql.raw(when)
  const insert = sql.raw(`
    insert into search_pending (agent_id, id, kind) values (new.agent_id, new.id, ${kind});`)
  if (engine.kind === 'sqlite') {
    await sql`create trigger ${name} after insert on ${on} when ${condition} begin ${insert} end`.execute(db)
  } else {
    await sql`create function ${name}() returns trigger language plpgsql as $$
      begin ${insert} return null; end $$`.execute(db)
    await sql`create trigger ${name} after insert on ${on}
      for each row when (${condition}) execute function ${name}()`.execute(db)
  }
  // Counted after the trigger exists, whose creation waits for writers on PostgreSQL: every row is either queued or
  // counted here.
  await sql`insert into search_backfill (kind, until_id, next_id)
    select ${sql.lit(kind)}, coalesce(max(id), 0), coalesce(max(id), 0) from ${on}`.execute(db)
}
