import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Notes by people, ratings, and what happened in conversations. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await extendNotes(db, engine)
  await createRatings(db, engine)
  await createHappenings(db, engine)
}

async function extendNotes(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const add = (column: string, type: 'text' | Engine['identityType']) =>
    db.schema.alterTable('conversation_notes').addColumn(column, type).execute()
  await add('operator_id', engine.identityType)
  await add('mentions', 'text')
  await add('redacted', 'text')
  await indexUnprompted(db, 'conversation_notes')
}

async function createRatings(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('ratings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
    .addColumn('completion_id', 'text')
    .addColumn('score', 'integer', (column) => column.notNull())
    .addColumn('comment', 'text')
    .addColumn('redacted', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('ratings_completion').on('ratings').columns(['completion_id']).execute()
  await indexUnprompted(db, 'ratings')
}

/** Finds rows of conversations without a completion by age, as messages are found. */
async function indexUnprompted(db: Kysely<Tables>, table: 'conversation_notes' | 'ratings'): Promise<void> {
  await db.schema
    .createIndex(`${table}_unprompted`)
    .on(table)
    .columns(['agent_id', 'redacted', 'created_at'])
    .where(sql.ref('completion_id'), 'is', null)
    .execute()
}

async function createHappenings(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('happenings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('after_message', engine.identityType, (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', engine.identityType)
    .addColumn('actor_name', 'text')
    .addColumn('completion_id', 'text')
    .addColumn('note_id', engine.identityType)
    .addColumn('details', 'text')
    .execute()
  await db.schema
    .createIndex('happenings_conversation')
    .on('happenings')
    .columns(['conversation_id', 'after_message', 'id'])
    .execute()
  // Existing notes get happenings, through which the timeline finds notes.
  await sql`
    insert into happenings (agent_id, conversation_id, kind, at, after_message, actor_kind, actor_name, completion_id, note_id)
    select agent_id, conversation_id, 'note', created_at,
      coalesce((select max(messages.id) from messages where messages.conversation_id = conversation_notes.conversation_id
        and messages.created_at <= conversation_notes.created_at), 0),
      'rule', author, completion_id, id
    from conversation_notes order by id`.execute(db)
}
